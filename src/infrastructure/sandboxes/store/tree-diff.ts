import { ok, type Result } from '../../../domain/failure.ts'
import { compareTrees } from './compare-trees.ts'
import { splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import { EMPTY_TREE, type FolderEntry } from './tree-object.ts'

/** One path that differs between two trees. Null: it is not there on that side. */
export interface TreeChange {
  readonly path: Buffer
  readonly old: TreeEntry | null
  readonly new: TreeEntry | null
}

export interface TreeEntry {
  readonly mode: EntryMode
  readonly object: string
}

export type EntryMode = '100644' | '100755' | '120000'

/** Without rename detection: what has to be written and removed. Nested repositories are left out. */
export async function diffTrees(
  store: PrivateStore,
  from: string,
  to: string,
): Promise<Result<TreeChange[]>> {
  const found = compareTrees(store, from, to)
  if (found !== null)
    return ok(
      found
        .map(({ path, old, new: now }) => ({ path, old: entryOf(old), new: entryOf(now) }))
        .filter(change => change.old || change.new),
    )
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--raw', '--end-of-options', from, to]
  const ran = await store.run({ args })
  return ran.ok ? ok(parseChanges(ran.value)) : ran
}

/** Every file of a tree, as if none of it were there. */
export function filesOf(store: PrivateStore, tree: string): Promise<Result<TreeChange[]>> {
  return diffTrees(store, EMPTY_TREE[tree.length] ?? '', tree)
}

/** What git's `--raw -z` lists. A content that git has not read has an object of zeros. */
export function parseChanges(raw: Buffer): TreeChange[] {
  const fields = splitNul(raw)
  const changes: TreeChange[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const change = parseChange(fields[i]?.toString('latin1') ?? '', fields[i + 1] ?? Buffer.alloc(0))
    if (change.old || change.new) changes.push(change)
  }
  return changes
}

/** A line for `update-index --index-info` that gives an index the new side of a change. */
export function indexLine(change: TreeChange): Buffer {
  const { mode, object } = change.new ?? { mode: '0', object: '0'.repeat(change.old?.object.length ?? 40) }
  return Buffer.concat([Buffer.from(`${mode} ${object}\t`), change.path, Buffer.from([0])])
}

// ":<old mode> <new mode> <old object> <new object> <status>"
function parseChange(header: string, path: Buffer): TreeChange {
  const [oldMode = '', newMode = '', oldObject = '', newObject = ''] = header.slice(1).split(' ')
  const old = entryOf({ mode: oldMode, object: oldObject })
  return { path, old, new: entryOf({ mode: newMode, object: newObject }) }
}

// Mode 160000 names the commit of a nested repository: there are no bytes to write.
export function entryOf(entry: FolderEntry | null): TreeEntry | null {
  if (entry === null) return null
  const { mode, object } = entry
  return mode === '100644' || mode === '100755' || mode === '120000' ? { mode, object } : null
}
