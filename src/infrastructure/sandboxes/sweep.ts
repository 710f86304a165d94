import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Host } from '../../application/ports/machine.ts'
import type { PlanId } from '../../domain/ids.ts'
import { identify } from '../system/process-identity.ts'
import { isHalfMade } from './folder-strategy.ts'
import { overlayPlaces } from './overlay/places.ts'
import { isBeingRemoved, removeFolder } from './remove-folder.ts'
import { isOlder, sweepLeftovers } from './store/leftovers.ts'
import { ownershipOf } from './store/ownership.ts'
import { type PlanFolder, planFolder } from './store/plan-folder.ts'

interface Place {
  readonly stateDir: string
  readonly host: Pick<Host, 'process' | 'isAlive'>
}

/**
 * Finishes what dead processes left undone in the folders of plans: sandboxes half made and half removed, locks,
 * temporary files. Never anything that a person or a plan could miss: no state, no working folder of a plan that has
 * not ended, nothing of a plan that this store does not know, and nothing while its owner lives. Returns what went.
 */
export async function sweep(
  { stateDir, host }: Place,
  isKnown: (planId: PlanId) => boolean,
): Promise<string[]> {
  const ownership = ownershipOf(host)
  const gone = await sweepProbes(stateDir)
  for (const folder of await planFolders(stateDir)) {
    // Whoever takes the folder after it was found ownerless makes only what is newer than this.
    const since = Date.now() - CLOCK_STEP_MS
    if (isBeingRemoved(basename(folder.path))) gone.push(await removed(folder.path))
    else if (await ownership.isAlive(folder)) continue
    else if (isHalfMade(folder) && (await isAbandoned(folder, since))) gone.push(await removed(folder.path))
    else if (isKnown(idOf(folder))) gone.push(...(await sweepKnown(folder, since)))
  }
  return gone
}

/** Folders of plans that this store does not know, with whatever work is in them. Nobody but a person may delete them. */
export async function listUnknown(stateDir: string, isKnown: (planId: PlanId) => boolean): Promise<string[]> {
  const folders = await planFolders(stateDir)
  return folders
    .filter(folder => !isBeingRemoved(basename(folder.path)) && !isKnown(idOf(folder)))
    .map(folder => folder.path)
}

async function sweepKnown(folder: PlanFolder, since: number): Promise<string[]> {
  await sweepLeftovers(folder, since)
  const gone = await sweepMade(join(folder.path, 'databases'), /\.(\d+)\.new$/)
  for (const name of await readdir(folder.path)) {
    if (isBeingRemoved(name)) gone.push(await removed(join(folder.path, name)))
  }
  // The mark was set, and the process ended before the folder was gone.
  const { upper, work, view } = overlayPlaces(folder)
  const places = existsSync(folder.released) ? [dirname(folder.root), upper, work, view] : []
  for (const place of places.filter(existsSync)) gone.push(await removed(place))
  return gone
}

/** The making of a sandbox writes its owner first; before that there is a moment in which nobody can be asked. */
async function isAbandoned(folder: PlanFolder, since: number): Promise<boolean> {
  if (!(await isOlder(folder.path, since))) return false
  if (existsSync(folder.owner)) return true
  const { mtimeMs } = await stat(folder.path)
  return !existsSync(dirname(folder.root)) && Date.now() - mtimeMs > A_MOMENT_MS
}

const A_MOMENT_MS = 60_000
/** The times of files lag behind the clock by up to this. */
const CLOCK_STEP_MS = 50

/** What a process makes beside its place under a name with its id. */
async function sweepMade(place: string, named: RegExp): Promise<string[]> {
  const gone: string[] = []
  for (const name of await readdir(place).catch(() => [])) {
    const pid = Number(named.exec(name)?.[1] ?? 0)
    if (pid > 0 && identify(pid) === null) gone.push(await removed(join(place, name)))
  }
  return gone
}

function sweepProbes(stateDir: string): Promise<string[]> {
  return sweepMade(stateDir, /^overlay-probe-(\d+)-/)
}

async function removed(path: string): Promise<string> {
  await removeFolder(path)
  return path
}

async function planFolders(stateDir: string): Promise<PlanFolder[]> {
  const plans = join(stateDir, 'plans')
  const entries = await readdir(plans, { withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isDirectory())
    .map(entry => planFolder(stateDir, idOf({ path: entry.name }), ''))
}

// A name in this folder; whether it is a plan's, the store says.
function idOf({ path }: Pick<PlanFolder, 'path'>): PlanId {
  return basename(path) as PlanId
}
