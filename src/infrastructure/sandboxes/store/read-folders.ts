import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { findObject } from './loose-objects.ts'
import type { PrivateStore } from './private-store.ts'
import { EMPTY_TREE, parseTreeObject, type TreeFolder } from './tree-object.ts'

/** One folder of a tree by its object; null where git has to read it. */
export function readFolder({ folder: { store }, folders }: PrivateStore, id: string): TreeFolder | null {
  if (id === EMPTY_TREE[id.length]) return new Map()
  const known = folders.get(id)
  if (known) return known
  const found = findObject(store, id)
  if (found?.type !== 'tree') return null
  return remember(folders, id, found.content)
}

/** Several of them; those that only git can read are asked for together. */
export async function readFolders(
  store: PrivateStore,
  ids: Iterable<string>,
): Promise<Result<Map<string, TreeFolder>>> {
  const folders = new Map<string, TreeFolder>()
  const missing: string[] = []
  for (const id of ids) {
    const folder = readFolder(store, id)
    if (folder) folders.set(id, folder)
    else missing.push(id)
  }
  if (missing.length === 0) return ok(folders)
  const stdin = Buffer.from(missing.map(id => `${id}\n`).join(''))
  const read = await store.run({ args: ['cat-file', '--batch'], stdin })
  if (!read.ok) return read
  let at = 0
  for (const id of missing) {
    // "<object> <type> <size>\n<content>\n"
    const end = read.value.indexOf(0x0a, at)
    const [, type, size] = read.value.toString('latin1', at, end).split(' ')
    if (type !== 'tree') return refuse('not_found', `The folder ${id} is not in the plan's store.`, { id })
    const content = read.value.subarray(end + 1, end + 1 + Number(size))
    folders.set(id, remember(store.folders, id, content))
    at = end + 1 + Number(size) + 1
  }
  return ok(folders)
}

const MOST_KNOWN = 5_000

function remember(folders: PrivateStore['folders'], id: string, content: Buffer): TreeFolder {
  if (folders.size >= MOST_KNOWN) folders.clear()
  const folder = parseTreeObject(content, id.length)
  folders.set(id, folder)
  return folder
}
