import { relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import type { TreeChange } from '../store/tree-diff.ts'
import { findParentProblem, type ParentProblem, parentsOf, under } from './parents.ts'
import { holdsEntry, readTarget, type Target } from './target.ts'

/**
 * What happens to a folder, link or ignored file that stands where a new file must go. In a project it is the user's;
 * in a sandbox it is whatever a command left there.
 */
export type Obstacles = 'conflict' | 'move_aside'

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
  if (problem) return { target: { kind: 'absent' }, conflict: parentConflict(change, problem) }
  const isBelowRemoved = parentsOf(change.path).some(parent => removed.has(parent.toString('latin1')))
  const target: Target = isBelowRemoved ? { kind: 'absent' } : await readTarget(under(root, change.path))
  return {
    target,
    conflict: (await isAsExpected(root, change, target, removed)) ? null : foreign(change, target),
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

function foreign(change: TreeChange, target: Target): ApplyConflict {
  if (target.kind === 'folder')
    return conflict(change, 'file_directory', 'there is a folder in its place now')
  if (change.old === null)
    return conflict(change, 'foreign', 'a file that does not belong to the plan is there already')
  return conflict(change, 'foreign', 'it changed while the plan was being applied')
}

function parentConflict(change: TreeChange, problem: ParentProblem): ApplyConflict {
  if (problem === 'link')
    return conflict(change, 'unsafe_parent', 'a folder above it is a link now, which may lead elsewhere')
  if (problem === 'file') return conflict(change, 'file_directory', 'a folder above it is a file now')
  return conflict(change, 'foreign', 'a folder above it is a repository of its own')
}

function conflict(change: TreeChange, kind: ApplyConflict['kind'], because: string): ApplyConflict {
  const path = relPathFromBytes(change.path)
  if (!path.ok) throw new Error(path.failure.message)
  return { path: path.value, kind, reason: `${path.value}: ${because}.` }
}
