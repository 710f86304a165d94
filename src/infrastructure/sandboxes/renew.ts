/**
 * A plan that is made anew begins in a new sandbox. The store of the one before is put aside and its objects are
 * borrowed, so that what was can still be compared; nothing returns to it, since it lies on another baseline.
 */
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError, refuse } from '../../domain/failure.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import { hasJournal } from './journal/journal.ts'
import { sweepPlaces } from './journal/places.ts'
import { removeFolder } from './remove-folder.ts'
import type { PlanFolder } from './store/plan-folder.ts'

/** Cut short, it is gone on with by the next one: the mark comes first and goes last. */
export async function renew(folder: PlanFolder): Promise<void> {
  refuseWhileHalfDone(folder)
  if (!existsSync(folder.path)) return
  await writeFile(folder.renewing, '')
  await sweepPlaces(folder)
  if (existsSync(join(folder.store, 'HEAD'))) {
    await mkdir(folder.earlier, { recursive: true })
    await rename(folder.store, join(folder.earlier, String(storesBefore(folder).length)))
  }
  await clear(folder)
}

/** Everything goes but the stores that were put aside. */
export async function clear(folder: PlanFolder): Promise<void> {
  if (!existsSync(folder.earlier)) return removeFolder(folder.path)
  for (const name of await readdir(folder.path)) {
    const place = join(folder.path, name)
    if (place !== folder.earlier && place !== folder.renewing) await removeFolder(place)
  }
  await rm(folder.renewing, { force: true })
}

/** The new store reads what is in those before it. */
export async function borrowEarlier(folder: PlanFolder): Promise<void> {
  const lines = storesBefore(folder).map(name => `../../earlier/${name}/objects\n`)
  if (lines.length > 0) await writeFile(join(folder.store, 'objects', 'info', 'alternates'), lines.join(''))
}

/** Whether a state belongs to a sandbox before this one. */
export function isEarlier(folder: PlanFolder, state: SandboxState): boolean {
  const before = storesBefore(folder).map(name => join(folder.earlier, name))
  return before.some(store => hasState(store, state)) && !hasState(folder.store, state)
}

export function refuseEarlier(state: SandboxState) {
  const message = 'That state lies in a sandbox that another one took the place of; it can only be compared.'
  return refuse('not_found', message, { state })
}

function hasState(store: string, state: SandboxState): boolean {
  const families = join(store, 'refs', 'plans')
  return namesIn(families).some(family => existsSync(join(families, family, state)))
}

/** Beside them lie the states of databases, which are no stores. */
function storesBefore({ earlier }: PlanFolder): string[] {
  return namesIn(earlier).filter(name => /^\d+$/.test(name))
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** With the folder would go all that an interrupted apply needs, and the user's tree would stay half written. */
export function refuseWhileHalfDone(folder: PlanFolder): void {
  if (hasJournal(folder)) throw new FailureError(refuseHalfDone().failure)
}

export function refuseHalfDone() {
  return refuse(
    'invalid_state',
    'An apply of this plan was interrupted half-way, so its sandbox is kept. Finish the apply or undo it first.',
  )
}
