import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PlanFolder } from './plan-folder.ts'

/**
 * What an operation that was cut short leaves in a plan's folder: locks, indexes and contents made for it alone,
 * objects written in part. Only for who has the folder to himself. No state and no file of the sandbox is among it.
 */
export async function sweepLeftovers(folder: PlanFolder): Promise<void> {
  await sweepIndexLocks(folder)
  await rm(folder.staging, { recursive: true, force: true })
  for (const name of await namesIn(folder.scratch))
    await rm(join(folder.scratch, name), { recursive: true, force: true })
  await sweepTemporaryObjects(folder.store)
  await sweepLocks(folder.store)
  for (const family of await namesIn(join(folder.store, 'refs', 'plans')))
    await sweepLocks(join(folder.store, 'refs', 'plans', family))
  for (const name of await namesIn(folder.path))
    if (/^(owner\.json\.\d+|sandbox\.json\.new)$/.test(name)) await rm(join(folder.path, name))
}

/** The lock that somebody has on an index of the plan, while its git runs; null when there is none. */
export function indexLock(folder: PlanFolder): string | null {
  return [folder.workIndex, folder.userIndex].map(lockOf).find(lock => existsSync(lock)) ?? null
}

export async function sweepIndexLocks(folder: PlanFolder): Promise<void> {
  if (indexLock(folder) !== null) await sweepLocks(dirname(folder.workIndex))
}

function lockOf(index: string): string {
  return `${index}.lock`
}

async function sweepLocks(place: string): Promise<void> {
  for (const name of await namesIn(place))
    if (name.endsWith('.lock')) await rm(join(place, name), { force: true })
}

/** What git, and this program, name an object before it is whole. */
export async function sweepTemporaryObjects(store: string): Promise<void> {
  const objects = join(store, 'objects')
  for (const folder of await namesIn(objects)) {
    for (const name of await namesIn(join(objects, folder)))
      if (/^(tmp_|\.tmp-)/.test(name)) await rm(join(objects, folder, name), { force: true })
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
