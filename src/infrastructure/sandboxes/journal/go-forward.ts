import { lstatSync, renameSync, unlinkSync } from 'node:fs'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import { errorCode } from '../../error-code.ts'
import { foreign, parentConflict } from '../writes/conflict.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { findParentProblem } from '../writes/parents.ts'
import { keepUnder, putAt } from '../writes/second-name.ts'
import { readTarget, readTargetNow, type Target } from '../writes/target.ts'
import { bytesOf, type Operation } from './journal.ts'
import {
  changedNow,
  goThrough,
  isSame,
  makeFoldersAbove,
  type Run,
  removeEmptyFoldersAbove,
  takeAway,
  targetOf,
} from './run.ts'

/**
 * Gives every path its new content, in the order of the journal. What is done already is passed over; what somebody
 * changed is left and noted. Throws where the disk refuses.
 */
export function goForward(run: Run, signal?: AbortSignal): Promise<void> {
  return goThrough(run, run.journal.operations, operation => write(run, operation), signal)
}

async function write(run: Run, operation: Operation): Promise<ApplyConflict | null> {
  const standing = await run.standing(operation)
  if (standing.is === 'foreign') return standing.conflict
  if (operation.new === null) {
    const isThere = standing.is === 'old'
    if (isThere && !takeAway(run, operation, { place: run.places.backup(operation), seen: standing.target }))
      return changedNow(operation)
    removeEmptyFoldersAbove(run, operation)
    return null
  }
  if (standing.is === 'new') return null
  if (operation.old === null) return create(run, operation)
  return replace(run, operation, standing.target) ? null : changedNow(operation)
}

async function create(run: Run, operation: Operation): Promise<ApplyConflict | null> {
  try {
    makeFoldersAbove(run, operation)
    putAt(run.places.staged(operation), targetOf(run, operation))
    run.tell('swap')
    return null
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')) throw error
    const path = bytesOf(operation.path)
    const problem = await findParentProblem(run.root, path, new Set())
    if (problem) return parentConflict(path, problem)
    return foreign(path, await readTarget(targetOf(run, operation)), 'nothing')
  }
}

/** False when it is another file by now. Between the last look and the rename nothing else happens in this process. */
function replace(run: Run, operation: Operation, seen: Target): boolean {
  const [target, backup] = [targetOf(run, operation), run.places.backup(operation)]
  keepOnce(target, backup)
  run.tell('keep_old')
  if (!isSame(readTargetNow(target), seen)) return false
  renameSync(run.places.staged(operation), target)
  run.tell('swap')
  return true
}

// An earlier attempt may have kept another file there that has been replaced since.
function keepOnce(target: Buffer, backup: Buffer): void {
  const kept = lstatIfThere(backup)
  if (kept?.ino === lstatSync(target).ino && kept.nlink > 1) return
  if (kept) unlinkSync(backup)
  keepUnder(target, backup)
}
