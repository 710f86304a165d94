import { readFile, rename, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import type { Host } from '../../../application/ports/machine.ts'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { indexLock, sweepIndexLocks, sweepLeftovers } from './leftovers.ts'
import type { PlanFolder } from './plan-folder.ts'

/** Which process makes or writes a plan's folder: what a dead one left open may be swept, a living one's may not. */
export interface Ownership {
  /** Whether the process that has the folder lives, this one included. */
  isAlive(folder: PlanFolder): Promise<boolean>
  /** Another process that has the folder and still lives. */
  livingOther(folder: PlanFolder): Promise<Host['process'] | null>
  /** Takes the folder for this process, after sweeping what an owner that died left. Refuses while another writes. */
  take(folder: PlanFolder): Promise<Result<void>>
}

export function ownershipOf(host: Pick<Host, 'process' | 'isAlive'>): Ownership {
  const isMine = (owner: Host['process']) =>
    owner.pid === host.process.pid && owner.startedAt === host.process.startedAt

  async function livingOther(folder: PlanFolder): Promise<Host['process'] | null> {
    const owner = await readOwner(folder)
    return owner !== null && !isMine(owner) && host.isAlive(owner) ? owner : null
  }

  async function isAlive(folder: PlanFolder): Promise<boolean> {
    const owner = await readOwner(folder)
    return owner !== null && host.isAlive(owner)
  }

  async function take(folder: PlanFolder): Promise<Result<void>> {
    const owner = await readOwner(folder)
    if (owner !== null && isMine(owner)) {
      // Operations of one process take turns, so a lock that is there now is of a git that was killed.
      await sweepIndexLocks(folder)
      return ok()
    }
    if (owner !== null && host.isAlive(owner)) {
      const lock = indexLock(folder)
      if (lock !== null) return refuseLocked(owner, lock)
    } else await sweepLeftovers(folder)
    // A plan can be written by one process after the other, so the newest counts.
    await writeOwner(folder, host.process)
    return ok()
  }

  return { isAlive, livingOther, take }
}

const ownerSchema = z.object({ pid: z.number(), startedAt: z.string() })

// One that cannot be read was cut short while it was written: nobody has the folder by it.
async function readOwner(folder: PlanFolder): Promise<Host['process'] | null> {
  try {
    return ownerSchema.parse(JSON.parse(await readFile(folder.owner, 'utf8')))
  } catch {
    return null
  }
}

async function writeOwner(folder: PlanFolder, owner: Host['process']): Promise<void> {
  const temporary = `${folder.owner}.${owner.pid}`
  await writeFile(temporary, JSON.stringify(owner))
  await rename(temporary, folder.owner)
}

function refuseLocked(owner: Host['process'], lock: string) {
  return refuse(
    'transient',
    `Process ${owner.pid} is writing in the sandbox of this plan. Wait for it or end it, then try again.`,
    { pid: owner.pid, lock },
  )
}
