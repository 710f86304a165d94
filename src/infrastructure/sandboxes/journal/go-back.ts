import { renameSync } from 'node:fs'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import { errorCode } from '../../error-code.ts'
import { foreign } from '../writes/conflict.ts'
import { putAt } from '../writes/second-name.ts'
import { readTarget, readTargetNow } from '../writes/target.ts'
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

/** Gives every path what it had before, in the reverse order. What somebody changed since is left and noted. */
export function goBack(run: Run, signal?: AbortSignal): Promise<void> {
  const operations = run.journal.operations.toReversed()
  return goThrough(run, operations, operation => putBack(run, operation), signal)
}

async function putBack(run: Run, operation: Operation): Promise<ApplyConflict | null> {
  const standing = await run.standing(operation)
  if (standing.is === 'foreign') return standing.conflict
  const seen = standing.target
  if (operation.old === null) {
    const isThere = standing.is === 'new'
    if (isThere && !takeAway(run, operation, { place: run.places.removed(operation), seen }))
      return changedNow(operation)
    // As soon as nothing is left in them: what stood in their place comes back next.
    removeEmptyFoldersAbove(run, operation, folder => run.madeFolders.has(folder.toString('latin1')))
    return null
  }
  if (standing.is === 'old') return null
  const [target, backup] = [targetOf(run, operation), run.places.backup(operation)]
  if (operation.new === null) return bringBack(run, operation)
  if (!isSame(readTargetNow(target), seen)) return changedNow(operation)
  renameSync(backup, target)
  run.tell('swap')
  return null
}

/** Puts what was removed back under its name, unless something else has that name by now. */
export async function bringBack(
  run: Run,
  operation: Operation,
  place = run.places.backup(operation),
): Promise<ApplyConflict | null> {
  const target = targetOf(run, operation)
  try {
    makeFoldersAbove(run, operation)
    putAt(place, target)
    run.tell('swap')
    return null
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')) throw error
    return foreign(bytesOf(operation.path), await readTarget(target), 'a file')
  }
}
