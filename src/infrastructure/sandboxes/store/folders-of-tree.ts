import { ok, type Result } from '../../../domain/failure.ts'
import { findObject } from './loose-objects.ts'
import { joinNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import { FOLDER_MODE, parseTreeObject, type TreeFolder } from './tree-object.ts'

/** The folders of the newest tree that were looked at, by path; '' is the root. An entry counts while its id does. */
export type KnownFolders = Map<string, { readonly object: string; readonly folder: TreeFolder }>

/** The folders at these paths in a tree. A path that is no folder there is left out. */
export async function foldersOfTree(
  store: PrivateStore,
  known: KnownFolders,
  root: string,
  paths: ReadonlySet<string>,
): Promise<Result<Map<string, TreeFolder>>> {
  const missing = lookUp(store, known, root, paths)
  if (missing.length === 0) return ok(collect(known, root, paths))
  const names = missing.map(path => Buffer.from(`${root}:${path}`, 'latin1'))
  const read = await store.run({ args: ['cat-file', '--batch', '-z'], stdin: joinNul(names) })
  if (!read.ok) return read
  readBatch(read.value, missing, (path, object, content) =>
    known.set(path, { object, folder: parseTreeObject(content, root.length) }),
  )
  return ok(collect(known, root, paths))
}

/** Which folders git must be asked for. */
function lookUp(
  store: PrivateStore,
  known: KnownFolders,
  root: string,
  paths: ReadonlySet<string>,
): string[] {
  for (const path of [...paths].sort()) {
    const object = objectAt(known, root, path)
    if (object === null) continue
    if (object === undefined) return [...paths]
    if (known.get(path)?.object === object) continue
    const found = findObject(store.folder.store, object)
    if (found?.type !== 'tree') return [...paths]
    known.set(path, { object, folder: parseTreeObject(found.content, root.length) })
  }
  return []
}

/** The id of the folder at a path; null when there is none, undefined when a folder above it is not known yet. */
function objectAt(known: KnownFolders, root: string, path: string): string | null | undefined {
  if (path === '') return root
  const slash = path.lastIndexOf('/')
  const parent = path.slice(0, Math.max(0, slash))
  const above = objectAt(known, root, parent)
  if (above === null || above === undefined) return above
  const found = known.get(parent)
  if (found?.object !== above) return undefined
  const entry = found.folder.get(path.slice(slash + 1))
  return entry?.mode === FOLDER_MODE ? entry.object : null
}

function collect(known: KnownFolders, root: string, paths: ReadonlySet<string>): Map<string, TreeFolder> {
  const folders = new Map<string, TreeFolder>()
  for (const path of paths) {
    const found = known.get(path)
    if (found && found.object === objectAt(known, root, path)) folders.set(path, found.folder)
  }
  return folders
}

// "<object> <type> <size>\n<content>\n" for each name asked, or "<name> missing\n".
function readBatch(
  answer: Buffer,
  paths: readonly string[],
  take: (path: string, object: string, content: Buffer) => void,
): void {
  let at = 0
  for (const path of paths) {
    const end = answer.indexOf(0x0a, at)
    const line = answer.toString('latin1', at, end)
    at = end + 1
    if (line.endsWith(' missing')) continue
    const [object = '', type = '', size = ''] = line.split(' ')
    const length = Number(size)
    if (type === 'tree') take(path, object, answer.subarray(at, at + length))
    at += length + 1
  }
}
