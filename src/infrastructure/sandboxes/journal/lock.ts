import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import type { Host } from '../../../application/ports/machine.ts'
import { type Failure, type Result, refuse } from '../../../domain/failure.ts'
import { errorCode } from '../../error-code.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import { hasJournal, readJournal } from './journal.ts'

/** One apply at a time to a project's folder, whichever plan and process it comes from. */
export interface ApplyLock {
  /** Runs the operation while nobody else writes the project; refuses at once when somebody does. */
  hold<Value>(
    folder: PlanFolder,
    root: string,
    operation: () => Promise<Result<Value>>,
  ): Promise<Result<Value>>
  /** Whether a refusal means that this very plan is being applied. */
  isOwn(folder: PlanFolder, refusal: Failure): boolean
}

/**
 * Each who wants to write puts a file of their own into the project's folder of locks and then looks who else is there.
 * Of two that come at once at least one sees the other, and no lock of a dead process has to be taken from anybody.
 */
export function applyLock(host: Pick<Host, 'process' | 'isAlive'>): ApplyLock {
  return {
    async hold(folder, root, operation) {
      const locks = await locksOf(folder, root)
      await mkdir(locks, { recursive: true })
      const own = join(locks, `${host.process.pid}-${planOf(folder)}.json`)
      const holder: Holder = { ...host.process, planId: planOf(folder), since: new Date().toISOString() }
      if (!(await create(own, holder, host))) return refuseHeld(await readHolder(own))
      try {
        const other = await findOther(locks, own, host)
        return other ? refuseHeld(other) : await operation()
      } finally {
        await rm(own, { force: true })
      }
    },
    isOwn: (folder, refusal) => refusal.facts['plan_id'] === planOf(folder),
  }
}

const holderSchema = z.object({
  pid: z.number(),
  startedAt: z.string(),
  planId: z.string(),
  since: z.string(),
})
type Holder = z.output<typeof holderSchema>

async function locksOf(folder: PlanFolder, root: string): Promise<string> {
  const real = await realpath(root).catch(() => root)
  const name = createHash('sha256').update(real).digest('hex').slice(0, 32)
  return join(dirname(dirname(folder.path)), 'applying', name)
}

function planOf(folder: PlanFolder): string {
  return basename(folder.path)
}

/** A file that is there is whole. False when a living process has it: this one, for the same plan. */
async function create(file: string, holder: Holder, host: Pick<Host, 'isAlive'>): Promise<boolean> {
  const temporary = `${file}.${holder.startedAt.replaceAll(/\W/g, '')}`
  await writeFile(temporary, JSON.stringify(holder))
  try {
    const before = await readHolder(file)
    if (before && !host.isAlive(before)) await rm(file, { force: true })
    await link(temporary, file)
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return false
  } finally {
    await rm(temporary, { force: true })
  }
}

async function findOther(locks: string, own: string, host: Pick<Host, 'isAlive'>): Promise<Holder | null> {
  for (const name of await readdir(locks)) {
    const file = join(locks, name)
    if (file === own || !name.endsWith('.json')) continue
    const holder = await readHolder(file)
    if (holder && host.isAlive(holder)) return holder
    await rm(file, { force: true })
  }
  return null
}

async function readHolder(file: string): Promise<Holder | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : holderSchema.parse(JSON.parse(text))
}

function refuseHeld(holder: Holder | null) {
  const who = holder
    ? `Plan ${holder.planId} (process ${holder.pid}, since ${holder.since})`
    : 'Another process'
  return refuse('transient', `${who} is being applied to this folder. Try again when it is done.`, {
    ...(holder ? { plan_id: holder.planId, pid: holder.pid, since: holder.since } : {}),
  })
}

/** The other plan whose apply to this folder was interrupted; null when there is none. */
export async function findUnfinishedElsewhere(folder: PlanFolder, root: string): Promise<string | null> {
  const plans = dirname(folder.path)
  for (const planId of await readdir(plans)) {
    const other = { ...folder, path: join(plans, planId), apply: join(plans, planId, basename(folder.apply)) }
    if (planId === planOf(folder) || !existsSync(other.apply) || !hasJournal(other)) continue
    const journal = await readJournal(other)
    if (journal && (await isSameFolder(journal.root, root))) return planId
  }
  return null
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(path => realpath(path).catch(() => path)))
  return first === second
}
