import { mkdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import { conflictAt } from '../writes/conflict.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { holdsEntry, readTarget, readTargetNow } from '../writes/target.ts'
import { bringBack } from './go-back.ts'
import { bytesOf, type Operation } from './journal.ts'
import { changedNow, isSame, type Run, targetOf } from './run.ts'

/**
 * An editor that had a file open may have written to it after it was replaced. Such a file gets its name back with what
 * was written, and the plan's change of it stays to be merged: what a person saved last is what is there.
 */
export async function giveWayToLateWriters(run: Run): Promise<void> {
  for (const operation of run.journal.operations) {
    if (operation.old === null || run.left.has(operation.path)) continue
    const backup = run.places.backup(operation)
    if (!lstatIfThere(backup)) continue
    if (await isWrittenTo(backup, operation)) {
      await giveBack(run, operation, 'it was saved while the plan was being applied')
    } else if (isHalfMoved(run, operation)) {
      await giveBack(run, operation, 'its new name could not be written')
    }
  }
}

/**
 * The same for what was taken away because the plan had made it: somebody may have saved it just before, and the process
 * may have died before it was put back.
 */
export async function giveBackTakenAway(run: Run): Promise<void> {
  for (const operation of run.journal.operations) {
    if (operation.old !== null || operation.new === null) continue
    const removed = run.places.removed(operation)
    const kept = lstatIfThere(removed)
    if (!kept || kept.ino === lstatIfThere(targetOf(run, operation))?.ino) continue
    if (await holdsEntry(removed, await readTarget(removed), operation.new)) continue
    const isBack = (await bringBack(run, operation, removed)) === null
    const conflict = changedNow(operation)
    const reason = isBack ? conflict.reason : keepAside(run, operation.path, removed)
    run.left.set(operation.path, { ...conflict, reason })
  }
}

async function isWrittenTo(backup: Buffer, { old }: Operation): Promise<boolean> {
  if (old === null) return false
  const now = await readTarget(backup)
  return !(now.kind === 'entry' && now.stamp === old.stamp) && !(await holdsEntry(backup, now, old))
}

function isHalfMoved(run: Run, { movedTo }: Operation): boolean {
  const other = movedTo === null ? undefined : run.journal.operations[movedTo]
  return other !== undefined && run.left.has(other.path)
}

async function giveBack(run: Run, operation: Operation, because: string): Promise<void> {
  const [target, backup] = [targetOf(run, operation), run.places.backup(operation)]
  const standing = await run.standing(operation)
  if (standing.is === 'new' && operation.new === null) {
    if ((await bringBack(run, operation)) === null) return leave()
  } else if (standing.is === 'new' && isSame(readTargetNow(target), standing.target)) {
    renameSync(backup, target)
    run.tell('put_back')
    return leave()
  }
  run.notices.push(keepAside(run, operation.path, backup))
  leave()

  function leave() {
    run.left.set(operation.path, conflictAt(bytesOf(operation.path), 'foreign', because))
  }
}

/** Two people wrote, each their own: what is there stays, and the other is not thrown away. */
function keepAside(run: Run, path: RelPath, backup: Buffer): string {
  const folder = join(run.store.folder.apply, 'late')
  mkdirSync(folder, { recursive: true })
  const place = join(folder, `${run.journal.startedAt.replaceAll(':', '.')}-${basename(path)}`)
  renameSync(backup, place)
  run.tell('put_back')
  return `${path} was saved twice while the plan was being applied. The other version is kept at ${place}.`
}
