import { ok, type Result } from '../../../domain/failure.ts'
import { foldersOfTree, type KnownFolders } from './folders-of-tree.ts'
import { writeObject } from './loose-objects.ts'
import type { PrivateStore } from './private-store.ts'
import { FOLDER_MODE, type FolderEntry, type TreeFolder, treeObjectOf } from './tree-object.ts'

/** Changes to a tree as a layer over it. Names are bytes as latin1. */
export interface LayerFolder {
  /** Hides what the tree below has in this folder. */
  readonly isOpaque: boolean
  readonly removed: ReadonlySet<string>
  readonly files: ReadonlyMap<string, FolderEntry>
  readonly folders: ReadonlyMap<string, LayerFolder>
}

/** The tree that one sees looking at a layer from above. Only the folders in the layer are read and written. */
export async function treeWithLayer(
  store: PrivateStore,
  known: KnownFolders,
  base: string,
  layer: LayerFolder,
): Promise<Result<string>> {
  const folders = await foldersOfTree(store, known, base, new Set(foldersIn(layer, '')))
  if (!folders.ok) return folders
  const gitDir = store.folder.store
  return ok(writeFolder({ gitDir, below: folders.value, idLength: base.length }, layer, '').object)
}

function foldersIn({ folders }: LayerFolder, path: string): string[] {
  return [path, ...[...folders].flatMap(([name, folder]) => foldersIn(folder, join(path, name)))]
}

interface Place {
  readonly gitDir: string
  readonly below: ReadonlyMap<string, TreeFolder>
  readonly idLength: number
}

function writeFolder(place: Place, layer: LayerFolder, path: string): { object: string; isEmpty: boolean } {
  const entries = new Map<string, FolderEntry>(layer.isOpaque ? [] : (place.below.get(path) ?? []))
  for (const name of layer.removed) entries.delete(name)
  for (const [name, file] of layer.files) entries.set(name, file)
  for (const [name, folder] of layer.folders) {
    const isHidden = layer.isOpaque || entries.get(name)?.mode !== FOLDER_MODE
    const written = writeFolder(place, isHidden ? { ...folder, isOpaque: true } : folder, join(path, name))
    // A tree knows no empty folders.
    if (written.isEmpty) entries.delete(name)
    else entries.set(name, { mode: FOLDER_MODE, object: written.object })
  }
  const object = writeObject(place.gitDir, { type: 'tree', content: treeObjectOf(entries) }, place.idLength)
  return { object, isEmpty: entries.size === 0 }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`
}
