import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import type { TreeChange } from '../store/tree-diff.ts'
import { foreign, parentConflict } from './conflict.ts'
import { findParentProblem, parentsOf, under } from './parents.ts'
import { holdsEntry, readTarget, type Target } from './target.ts'

/**
 * What happens to a folder, link or ignored file that stands where a new file must go. In a project it is the user's;
 * in a sandbox it is whatever a command left there.
 */
type Obstacles = 'conflict' | 'move_aside'

export interface Checked {
  readonly target: Target
  readonly conflict: ApplyConflict | null
}

/** Whether a change may be written: what it replaces must be there as recorded, and nothing else in its way. */
export async function checkTarget(
  root: Buffer,
  change: TreeChange,
  { removed, obstacles }: { removed: ReadonlySet<string>; obstacles: Obstacles },
): Promise<Checked> {
  if (change.old === null && obstacles === 'move_aside') return { target: { kind: 'absent' }, conflict: null }
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
  // A folder whose files all go first may make room for a file.
  const prefix = `${change.path.toString('latin1')}/`
  return target.kind === 'folder' && [...removed].some(path => path.startsWith(prefix))
}
