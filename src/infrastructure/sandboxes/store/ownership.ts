import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { Host } from '../../../application/ports.ts'
import type { PlanFolder } from './plan-folder.ts'

/** Which process makes or writes a plan's folder: what a dead one left open may be swept, a living one's may not. */
export interface Ownership {
  /** Whether another process that still lives has the folder. */
  isTaken(folder: PlanFolder): Promise<boolean>
  /** Takes the folder for this process, after sweeping the locks of an owner that died. */
  take(folder: PlanFolder): Promise<void>
}

export function ownershipOf(host: Pick<Host, 'process' | 'isAlive'>): Ownership {
  const isMine = (owner: Host['process']) =>
    owner.pid === host.process.pid && owner.startedAt === host.process.startedAt
  return {
    async isTaken(folder) {
      const owner = await readOwner(folder)
      return owner !== null && !isMine(owner) && host.isAlive(owner)
    },
    async take(folder) {
      const owner = await readOwner(folder)
      if (owner && !host.isAlive(owner)) await removeLocks(folder)
      // A plan can be written by one process after the other, so the newest counts.
      if (owner === null || !isMine(owner)) await writeOwner(folder, host.process)
    },
  }
}

const ownerSchema = z.object({ pid: z.number(), startedAt: z.string() })

async function readOwner(folder: PlanFolder) {
  const text = await readFile(folder.owner, 'utf8').catch(() => null)
  return text === null ? null : ownerSchema.parse(JSON.parse(text))
}

async function writeOwner(folder: PlanFolder, owner: Host['process']): Promise<void> {
  const temporary = `${folder.owner}.${owner.pid}`
  await writeFile(temporary, JSON.stringify(owner))
  await rename(temporary, folder.owner)
}

async function removeLocks(folder: PlanFolder): Promise<void> {
  for (const place of [
    dirname(folder.workIndex),
    folder.store,
    join(folder.store, 'refs', 'plans', 'checkpoints'),
  ]) {
    if (!existsSync(place)) continue
    for (const name of await readdir(place)) if (name.endsWith('.lock')) await rm(join(place, name))
  }
}
