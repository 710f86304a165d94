import { readdir } from 'node:fs/promises'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import type { TreeChange } from '../store/tree-diff.ts'
import { foreign, parentConflict } from './conflict.ts'
import { findParentProblem, parentsOf, under } from './parents.ts'
import { holdsEntry, readTarget, type Target } from './target.ts'

export interface Checked {
  readonly target: Target
  readonly conflict: ApplyConflict | null
}

/** Whether a change may be written: what it replaces must be there as recorded, and nothing else in its way. */
export async function checkTarget(
  root: Buffer,
  change: TreeChange,
  removed: ReadonlySet<string>,
): Promise<Checked> {
  const problem = await findParentProblem(root, change.path, removed)
  if (problem) return { target: { kind: 'absent' }, conflict: parentConflict(change.path, problem) }
  const isBelowRemoved = parentsOf(change.path).some(parent => removed.has(parent.toString('latin1')))
  const target: Target = isBelowRemoved ? { kind: 'absent' } : await readTarget(under(root, change.path))
  return {
    target,
    conflict: (await isAsExpected(root, change, target, removed))
      ? null
      : foreign(change.path, target, change.old === null ? 'nothing' : 'a file'),
  }
}

async function isAsExpected(
  root: Buffer,
  change: TreeChange,
  target: Target,
  removed: ReadonlySet<string>,
): Promise<boolean> {
  if (change.old !== null) return holdsEntry(under(root, change.path), target, change.old)
  if (target.kind === 'absent') return true
  return target.kind === 'folder' && isEmptiedBy(removed, root, change.path)
}

/** A folder whose files all go first makes room for a file; one with anything else in it, e.g. ignored files, does not. */
async function isEmptiedBy(removed: ReadonlySet<string>, root: Buffer, folder: Buffer): Promise<boolean> {
  for (const entry of await readdir(under(root, folder), { encoding: 'buffer', withFileTypes: true })) {
    const path = under(folder, entry.name)
    const goes = entry.isDirectory()
      ? await isEmptiedBy(removed, root, path)
      : removed.has(path.toString('latin1'))
    if (!goes) return false
  }
  return true
}
