import { existsSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PlanFolder } from './plan-folder.ts'

/**
 * What an operation that was cut short leaves in a plan's folder: locks, indexes and contents made for it alone,
 * objects written in part. Only for who has the folder to himself, or of what was last changed before a moment at which
 * nobody had it. No state and no file of the sandbox is among it.
 */
export async function sweepLeftovers(
  folder: PlanFolder,
  before: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  const take: Take = async path => {
    if (await isOlder(path, before)) await rm(path, { recursive: true, force: true })
  }
  if (indexLock(folder) !== null) await sweepLocks(dirname(folder.workIndex), take)
  await take(folder.staging)
  for (const name of await namesIn(folder.scratch)) await take(join(folder.scratch, name))
  await sweepTemporaryObjects(folder.store, take)
  await sweepLocks(folder.store, take)
  for (const family of await namesIn(join(folder.store, 'refs', 'plans')))
    await sweepLocks(join(folder.store, 'refs', 'plans', family), take)
  for (const name of await namesIn(folder.path))
    if (/^(owner\.json\.\d+|sandbox\.json\.new)$/.test(name)) await take(join(folder.path, name))
}

/** Whether what is there was last changed before a moment, in milliseconds; false where nothing is. */
export async function isOlder(path: string, moment: number): Promise<boolean> {
  const entry = await lstat(path).catch(() => null)
  return entry !== null && entry.ctimeMs < moment
}

type Take = (path: string) => Promise<void>

const takeAny: Take = path => rm(path, { recursive: true, force: true })

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

async function sweepLocks(place: string, take: Take = takeAny): Promise<void> {
  for (const name of await namesIn(place)) if (name.endsWith('.lock')) await take(join(place, name))
}

/** What git, and this program, name an object before it is whole. */
export async function sweepTemporaryObjects(store: string, take: Take = takeAny): Promise<void> {
  const objects = join(store, 'objects')
  for (const folder of await namesIn(objects)) {
    for (const name of await namesIn(join(objects, folder)))
      if (/^(tmp_|\.tmp-)/.test(name)) await take(join(objects, folder, name))
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
