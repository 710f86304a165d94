import { chmod, mkdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { isDiskFull } from '../../git/git.ts'
import { moveEntry } from './move-entry.ts'
import { findObstacle, makeParents, pruneParents, type RemovedFolder, under } from './parents.ts'
import { discardStaged, type PreparedWrite, type PreparedWrites, writeFailure } from './prepare.ts'
import { keepUnder, putAt } from './second-name.ts'
import { readTarget } from './target.ts'

/** Swaps everything prepared into place. When one path refuses, all that was done is taken back. */
export async function executeWrites(prepared: PreparedWrites): Promise<Result<void>> {
  const done: Step[] = []
  try {
    for (const write of prepared.writes) await executeWrite(prepared, write, done)
    return ok()
  } catch (error) {
    const left = await takeBack(prepared.root, done)
    return notWritten(error, prepared.root, left)
  } finally {
    await discardStaged(prepared.writes, prepared.stagingFolder)
  }
}

/** What was done, in the order it was done. */
type Step =
  | { readonly did: 'make_folder'; readonly path: Buffer }
  | { readonly did: 'remove_folder'; readonly folder: RemovedFolder }
  | { readonly did: 'create'; readonly path: Buffer }
  | { readonly did: 'replace' | 'delete' | 'move_aside'; readonly path: Buffer; readonly backup: Buffer }

async function executeWrite({ root }: PreparedWrites, write: PreparedWrite, done: Step[]): Promise<void> {
  const { path, old, new: entry } = write.change
  const target = under(root, path)
  if (old !== null) await assertUntouched(target, write)
  if (entry === null) return remove(root, write, done)
  if (old === null) await moveAside(root, write, done)
  for (const folder of await makeParents(root, path)) done.push({ did: 'make_folder', path: folder })
  if (old === null) {
    // Unlike a rename, this never replaces what somebody put there a moment ago.
    putAt(write.staged, target)
    done.push({ did: 'create', path })
    return
  }
  keepUnder(target, write.backup)
  await rename(write.staged, target)
  done.push({ did: 'replace', path, backup: write.backup })
}

async function moveAside(root: Buffer, { change, backup }: PreparedWrite, done: Step[]): Promise<void> {
  const obstacle = await findObstacle(root, change.path)
  if (obstacle === null) return
  await moveEntry(under(root, obstacle), backup)
  done.push({ did: 'move_aside', path: obstacle, backup })
}

async function remove(root: Buffer, { change, backup }: PreparedWrite, done: Step[]): Promise<void> {
  const target = under(root, change.path)
  keepUnder(target, backup)
  await unlink(target)
  done.push({ did: 'delete', path: change.path, backup })
  for (const folder of await pruneParents(root, change.path)) done.push({ did: 'remove_folder', folder })
}

async function assertUntouched(path: Buffer, write: PreparedWrite): Promise<void> {
  const now = await readTarget(path)
  const before = write.target
  if (now.kind === 'entry' && before.kind === 'entry' && now.stamp === before.stamp) return
  throw new Error(`${path} changed a moment ago`)
}

async function takeBack(root: Buffer, done: readonly Step[]): Promise<string[]> {
  const left: string[] = []
  for (const step of done.toReversed()) {
    try {
      await takeBackStep(root, step)
    } catch (error) {
      left.push(error instanceof Error ? error.message : String(error))
    }
  }
  return left
}

async function takeBackStep(root: Buffer, step: Step): Promise<void> {
  switch (step.did) {
    case 'make_folder':
      return rmdir(under(root, step.path))
    case 'remove_folder':
      await mkdir(under(root, step.folder.path))
      return chmod(under(root, step.folder.path), step.folder.mode)
    case 'create':
      return rm(under(root, step.path))
    case 'replace':
    case 'delete':
    case 'move_aside':
      return moveEntry(step.backup, under(root, step.path))
  }
}

function notWritten(error: unknown, root: Buffer, left: readonly string[]) {
  const message = error instanceof Error ? error.message : String(error)
  if (left.length === 0 && isDiskFull(message)) return writeFailure(error, root.toString())
  if (left.length === 0) {
    return refuse('conflict', `${root} could not be written and is as it was before: ${message}.`, {
      reason: message,
    })
  }
  return refuse(
    'sandbox_failed',
    `${root} could not be written (${message}) nor fully put back: ${left.join('; ')}.`,
    {
      reason: message,
      left,
    },
  )
}
