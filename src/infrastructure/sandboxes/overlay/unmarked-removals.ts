import { readFile, rm } from 'node:fs/promises'
import * as z from 'zod'
import { ok, type Result } from '../../../domain/failure.ts'
import { writeDurably } from '../journal/durable.ts'
import { foldersOfTree } from '../store/folders-of-tree.ts'
import type { PrivateStore } from '../store/private-store.ts'
import { treeWith } from '../store/select-paths.ts'
import { diffTrees, type TreeChange } from '../store/tree-diff.ts'
import { FOLDER_MODE } from '../store/tree-object.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { under } from '../writes/parents.ts'
import type { OverlayPlaces } from './places.ts'

/**
 * What is removed leaves a mark in the upper layer only where the user's folder has it at that moment. What left none is
 * kept in a list beside the layer, until something of that name is in the layer again. The list is ours and not a mark
 * made by hand: the kernel takes no changes of a layer that it has mounted.
 */
export function unmarkedRemovals(store: PrivateStore, places: OverlayPlaces) {
  let list: ReadonlySet<string> | null = null
  let seen: ReadonlySet<string> = new Set()

  async function keep(paths: ReadonlySet<string>): Promise<void> {
    const text = JSON.stringify([...paths])
    if (list !== null && text === JSON.stringify([...list])) return
    await writeDurably(places.removals, text)
    list = paths
  }

  return {
    /** The tree of a layer without what was removed from it. `before` is what was recorded last. */
    async leaveOut({ tree, files, before, removed }: LayerFound): Promise<Result<string>> {
      list ??= await readList(places.removals)
      // What a file hid, where it stood in place of a folder, shows again without it.
      const changes = await diffTrees(store, before, tree)
      if (!changes.ok) return changes
      const shown = shownAgain(changes.value)
      const gone = [...seen].filter(path => !files.has(path))
      seen = files
      const all = new Set([...list, ...gone, ...shown, ...removed].filter(path => !isInUpper(places, path)))
      const left = await filesAmong(store, tree, all)
      if (!left.ok) return left
      await keep(new Set([...all].filter(path => list?.has(path) || left.value.has(path))))
      if (left.value.size === 0) return ok(tree)
      const without = [...left.value].map(([path, old]) => ({
        path: Buffer.from(path, 'latin1'),
        old,
        new: null,
      }))
      return treeWith(store, tree, without)
    },
    /** For a layer that is made anew. */
    async forget(): Promise<void> {
      await rm(places.removals, { force: true })
      list = new Set()
      seen = new Set()
    },
  }
}

interface LayerFound {
  readonly tree: string
  /** What the layer has, as latin1. */
  readonly files: ReadonlySet<string>
  readonly before: string
  readonly removed: readonly string[]
}

/** What came to be below the place of a file that went. */
function shownAgain(changes: readonly TreeChange[]): string[] {
  const named = changes.map(change => ({ ...change, path: change.path.toString('latin1') }))
  const wentAway = new Set(named.filter(change => change.old && !change.new).map(change => change.path))
  return named
    .filter(change => !change.old && foldersAbove(change.path).some(folder => wentAway.has(folder)))
    .map(change => change.path)
}

async function filesAmong(store: PrivateStore, tree: string, paths: ReadonlySet<string>) {
  if (paths.size === 0) return ok(new Map())
  const folders = await foldersOfTree(
    store,
    new Map(),
    tree,
    new Set(['', ...[...paths].flatMap(foldersAbove)]),
  )
  if (!folders.ok) return folders
  return ok(
    new Map(
      [...paths].flatMap(path => {
        const entry = folders.value.get(folderOf(path))?.get(path.slice(path.lastIndexOf('/') + 1))
        return entry && entry.mode !== FOLDER_MODE ? [[path, entry] as const] : []
      }),
    ),
  )
}

async function readList(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  return new Set(z.array(z.string()).parse(JSON.parse(text)))
}

function isInUpper({ upper }: OverlayPlaces, path: string): boolean {
  return lstatIfThere(under(Buffer.from(upper), Buffer.from(path, 'latin1'))) !== undefined
}

function foldersAbove(path: string): string[] {
  const above = folderOf(path)
  return above === '' ? [] : [...foldersAbove(above), above]
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
