import { existsSync, statSync } from 'node:fs'
import { readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import type { Host } from '../../../application/ports/machine.ts'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { SandboxEntry } from '../../../domain/sandbox/strategy.ts'
import { identify } from '../../system/process-identity.ts'
import { type HeldMount, holdMount, type MountWay } from './hold-mount.ts'
import type { OverlayPlaces } from './places.ts'

/** The mounts of this process, by plan. Whoever enters twice shares one; the last to leave ends it. */
export interface Mounts {
  enter(places: OverlayPlaces, projectRoot: string, way: MountWay): Promise<Result<SandboxEntry>>
  leave(places: OverlayPlaces): Promise<void>
}

interface Ours {
  readonly held: HeldMount
  readonly entry: SandboxEntry
  users: number
}

export function createMounts(
  host: Pick<Host, 'isAlive'>,
  environment: Readonly<Record<string, string | undefined>>,
): Mounts {
  const ours = new Map<string, Ours>()
  return { enter, leave }

  async function enter(places: OverlayPlaces, projectRoot: string, way: MountWay) {
    for (let tried = 0; tried < TRIES; tried++) {
      const here = ours.get(places.path)
      if (here?.held.isAlive()) {
        here.users++
        return ok(here.entry)
      }
      ours.delete(places.path)
      const other = await heldElsewhere(host, places, projectRoot)
      if (other) return other
      const left = await waitForOthers(places)
      if (left.length > 0) return refuseBusy(places, left)
      const outcome = await holdMount({ way, places, projectRoot, environment })
      if (outcome.kind === 'held') return ok(await keep(outcome.held, { places, projectRoot, way }))
      if (outcome.kind === 'failed') return refuseToMount(projectRoot, outcome.message)
      // Somebody is mounting it in this very moment.
      await delay(PAUSE_MS)
    }
    return refuse('transient', 'Another process is mounting the sandbox of this plan. Try again in a moment.')
  }

  async function keep(held: HeldMount, mounted: Mounted): Promise<SandboxEntry> {
    const { places, projectRoot, way } = mounted
    const entry = entryOf(held.pid, projectRoot, way)
    ours.set(places.path, { held, entry, users: 1 })
    const startedAt = identify(held.pid)?.startedAt ?? ''
    const record = { pid: held.pid, startedAt, uid: process.getuid?.() ?? 0, way }
    await replaceFile(places.holder, temporary => writeFile(temporary, JSON.stringify(record)))
    await replaceFile(places.root, temporary => symlink(wayTo(held.pid, places), temporary))
    return entry
  }

  async function leave(places: OverlayPlaces): Promise<void> {
    const here = ours.get(places.path)
    if (!here || --here.users > 0) return
    ours.delete(places.path)
    await here.held.end()
    await rm(places.holder, { force: true })
    await rm(places.root, { force: true })
  }
}

const TRIES = 60
const PAUSE_MS = 50

interface Mounted {
  readonly places: OverlayPlaces
  readonly projectRoot: string
  readonly way: MountWay
}

/** Where the kernel shows the mounts of another process. What links on this way say is true for that process only. */
function wayTo(pid: number, { mount, name }: OverlayPlaces): string {
  return `/proc/${pid}/root${mount}/${name}`
}

function entryOf(pid: number, projectRoot: string, way: MountWay): SandboxEntry {
  const target = ['nsenter', `--target=${pid}`]
  if (way === 'as_root') return { prefix: [...target, '--mount', '--'], root: projectRoot }
  // Inside, only root's number has a meaning until a further namespace gives the user their own again.
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const asUser = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  return {
    prefix: [...target, '--user', '--mount', '--preserve-credentials', '--', ...asUser],
    root: projectRoot,
  }
}

const holderSchema = z.object({
  pid: z.number(),
  startedAt: z.string(),
  uid: z.number(),
  way: z.enum(['as_root', 'in_user_namespace']),
})

/** A mount that a living process of the same user holds is as good as one of ours, while it lasts. */
async function heldElsewhere(
  host: Pick<Host, 'isAlive'>,
  places: OverlayPlaces,
  projectRoot: string,
): Promise<Result<SandboxEntry> | null> {
  const text = await readFile(places.holder, 'utf8').catch(() => null)
  if (text === null) return null
  const holder = holderSchema.parse(JSON.parse(text))
  if (!host.isAlive(holder)) return null
  if (holder.uid !== process.getuid?.())
    return refuse(
      'invalid_state',
      `The sandbox is in use by a process of another user (number ${holder.pid}). Wait until it ends, or work as that user.`,
      { pid: holder.pid, uid: holder.uid },
    )
  if (!existsSync(places.root)) return null
  return ok(entryOf(holder.pid, projectRoot, holder.way))
}

/** Commands of a run that was killed keep its mount for the moment until they are ended, too. */
async function waitForOthers(places: OverlayPlaces): Promise<number[]> {
  if (!existsSync(places.holder)) return []
  for (let waited = 0; ; waited += PAUSE_MS) {
    const left = await processesIn(places)
    if (left.length === 0 || waited > OTHERS_MS) return left
    await delay(PAUSE_MS)
  }
}

const OTHERS_MS = 2_000

/** Looks only at processes with mounts of their own; the mount's folder names the plan, so it is in no other's list. */
async function processesIn({ mount }: OverlayPlaces): Promise<number[]> {
  const here = await readlink('/proc/self/ns/mnt').catch(() => '')
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const namespace = await readlink(`/proc/${name}/ns/mnt`).catch(() => here)
    if (namespace === here) continue
    const mounts = await readFile(`/proc/${name}/mountinfo`, 'latin1').catch(() => '')
    if (mounts.includes(tailOf(mount))) found.push(Number(name))
  }
  return found
}

/** The part that is spelled alike in the kernel's lists, whatever characters come before. */
function tailOf(mount: string): string {
  return `${mount.split('/').slice(-3).join('/')}/`
}

async function replaceFile(file: string, make: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${file}.${process.pid}`
  await rm(temporary, { force: true })
  await make(temporary)
  await rename(temporary, file)
}

/** Whether the way to a mount leads anywhere at this moment. */
export function isEntered(places: OverlayPlaces): boolean {
  return statSync(places.root, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function refuseBusy({ path }: OverlayPlaces, pids: readonly number[]) {
  return refuse(
    'transient',
    `Processes of an earlier run still work in the sandbox (${pids.join(', ')}). End them and try again.`,
    { path, pids },
  )
}

function refuseToMount(projectRoot: string, message: string) {
  return refuse(
    'sandbox_failed',
    `The sandbox could not be mounted over ${projectRoot}: ${message}. The plan's work is not lost; try again, or ask "agents doctor".`,
    { message },
  )
}
