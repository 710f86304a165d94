import { ok, type Result } from '../../domain/failure.ts'
import { bytesOfRelPath, type RelPath, relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { DriftedPath, SandboxState } from '../../domain/sandbox/strategy.ts'
import { splitNul } from './store/nul-list.ts'
import type { PrivateStore } from './store/private-store.ts'
import { placeOf, type WorkFolder } from './store/snapshot.ts'
import { treeOf } from './store/states.ts'
import { parseChanges, type TreeEntry } from './store/tree-diff.ts'
import { under } from './writes/parents.ts'
import { entryAt } from './writes/target.ts'

/**
 * Paths of a folder that differ from a recorded state, but for those named as written. The index knows the times of all
 * files, so that only what moved since has to be read.
 */
export async function findDrift(
  store: PrivateStore,
  folder: WorkFolder,
  { recorded, written }: { recorded: SandboxState; written: readonly RelPath[] },
  signal: AbortSignal,
): Promise<Result<readonly DriftedPath[]>> {
  const tree = await treeOf(store, recorded)
  if (!tree.ok) return tree
  const moved = await movedSince(store, folder, tree.value, signal)
  if (!moved.ok) return moved
  const expected = new Set(written.map(path => Buffer.from(bytesOfRelPath(path)).toString('latin1')))
  const root = Buffer.from(folder.workTree)
  const drifted: DriftedPath[] = []
  for (const [name, before] of moved.value) {
    if (expected.has(name)) continue
    const bytes = Buffer.from(name, 'latin1')
    const now = await entryAt(under(root, bytes), tree.value.length)
    const path = relPathFromBytes(bytes)
    if (path.ok && !isSame(before, now)) drifted.push({ path: path.value, ...whatHappened(before, now) })
  }
  return ok(drifted.sort((a, b) => (a.path < b.path ? -1 : 1)))
}

/** Every path that may differ, with what the state has there: what the index does not vouch for, and what it lacks. */
async function movedSince(
  store: PrivateStore,
  folder: WorkFolder,
  tree: string,
  signal: AbortSignal,
): Promise<Result<Map<string, TreeEntry | null>>> {
  const args = [
    'diff-index',
    '-z',
    '--raw',
    '--no-renames',
    '--ignore-submodules=all',
    '--end-of-options',
    tree,
  ]
  const others = ['ls-files', '-z', '--others', '--exclude-standard']
  const [tracked, untracked] = await Promise.all([
    store.run({ ...placeOf(folder), args }, signal),
    store.run({ ...placeOf(folder), args: others }, signal),
  ])
  if (!tracked.ok) return tracked
  if (!untracked.ok) return untracked
  const moved = new Map<string, TreeEntry | null>()
  for (const path of splitNul(untracked.value))
    if (path.at(-1) !== SLASH) moved.set(path.toString('latin1'), null)
  for (const { path, old } of parseChanges(tracked.value)) moved.set(path.toString('latin1'), old)
  return ok(moved)
}

function isSame(before: TreeEntry | null, now: TreeEntry | null): boolean {
  return before?.object === now?.object && before?.mode === now?.mode
}

function whatHappened(before: TreeEntry | null, now: TreeEntry | null): Omit<DriftedPath, 'path'> {
  if (now === null) return { how: 'removed', content: null }
  return { how: before === null ? 'added' : 'changed', content: `${now.mode} ${now.object}` }
}

const SLASH = 0x2f
