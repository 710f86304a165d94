import { relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import type { ParentProblem } from './parents.ts'
import type { Target } from './target.ts'

/** Something else stands where the plan wants to write. `expected` says what the plan found there when it looked. */
export function foreign(path: Buffer, target: Target, expected: 'nothing' | 'a file'): ApplyConflict {
  if (target.kind === 'folder')
    return conflictAt(path, 'file_directory', 'there is a folder in its place now')
  if (expected === 'nothing')
    return conflictAt(path, 'foreign', 'a file that does not belong to the plan is there already')
  return conflictAt(path, 'foreign', 'it changed while the plan was being applied')
}

export function parentConflict(path: Buffer, problem: ParentProblem): ApplyConflict {
  if (problem === 'link')
    return conflictAt(path, 'unsafe_parent', 'a folder above it is a link now, which may lead elsewhere')
  if (problem === 'file') return conflictAt(path, 'file_directory', 'a folder above it is a file now')
  return conflictAt(path, 'foreign', 'a folder above it is a repository of its own')
}

export function conflictAt(path: Buffer, kind: ApplyConflict['kind'], because: string): ApplyConflict {
  const parsed = relPathFromBytes(path)
  if (!parsed.ok) throw new Error(parsed.failure.message)
  return { path: parsed.value, kind, reason: `${parsed.value}: ${because}.` }
}
