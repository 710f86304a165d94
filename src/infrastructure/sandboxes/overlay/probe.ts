import { execFile } from 'node:child_process'
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { errorCode } from '../../error-code.ts'
import { removeFolder } from '../remove-folder.ts'
import { moveEntry } from '../writes/move-entry.ts'
import { holdMount, type MountWay } from './hold-mount.ts'
import { opaqueFolders } from './opaque-folders.ts'
import { type OverlayPlaces, overlayPlaces } from './places.ts'
import { isWhiteout } from './read-upper.ts'

export interface ProbeAccess {
  readonly stateDir: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The way in which this user can mount a folder of the plan over this project, found out by doing it. */
export type Probe = (projectRoot: string) => Promise<Result<MountWay>>

/** A yes holds until the machine starts anew; a no is asked again, because a person may have seen to it. */
export function createProbe(access: ProbeAccess): Probe {
  const running = new Map<string, Promise<Result<MountWay>>>()
  return projectRoot => {
    const key = keyOf(access, projectRoot)
    const answer = running.get(key) ?? askOnce(access, projectRoot, key)
    running.set(key, answer)
    answer.then(
      ({ ok }) => ok || running.delete(key),
      () => running.delete(key),
    )
    return answer
  }
}

/** What the answer depends on: the kernel as it runs, the user, and the two file systems. */
function keyOf({ stateDir }: ProbeAccess, projectRoot: string): string {
  const device = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev ?? 'none'
  return [
    read('/proc/sys/kernel/random/boot_id'),
    process.getuid?.(),
    device(stateDir),
    device(projectRoot),
  ].join(':')
}

const cacheSchema = z.record(z.string(), z.enum(['as_root', 'in_user_namespace']))

async function askOnce(access: ProbeAccess, projectRoot: string, key: string): Promise<Result<MountWay>> {
  const file = join(access.stateDir, 'overlay-probe.json')
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const cached = cacheSchema.safeParse(parsed(text))
  const known = cached.success ? cached.data[key] : undefined
  if (known) return ok(known)
  const found = await ask(access, projectRoot)
  if (!found.ok) return found
  const temporary = `${file}.${process.pid}`
  await writeFile(
    temporary,
    JSON.stringify({ ...(cached.success ? sameBoot(cached.data) : {}), [key]: found.value }),
  )
  await rename(temporary, file)
  return found
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function sameBoot(known: z.output<typeof cacheSchema>) {
  const boot = read('/proc/sys/kernel/random/boot_id')
  return Object.fromEntries(Object.entries(known).filter(([key]) => key.startsWith(`${boot}:`)))
}

async function ask(access: ProbeAccess, projectRoot: string): Promise<Result<MountWay>> {
  if (process.platform !== 'linux')
    return refuse('not_available', `The sandbox overlay needs Linux, and this is ${process.platform}.`)
  // Root in a container may not mount, and can still have a namespace of its own.
  const ways: MountWay[] = process.getuid?.() === 0 ? ['as_root', 'in_user_namespace'] : ['in_user_namespace']
  let last: Result<MountWay> = refuse('not_available', '')
  for (const way of ways) {
    last = await tryWay(access, projectRoot, way)
    if (last.ok) return last
  }
  return last
}

async function tryWay(access: ProbeAccess, projectRoot: string, way: MountWay): Promise<Result<MountWay>> {
  await mkdir(access.stateDir, { recursive: true })
  const path = await mkdtemp(join(access.stateDir, `overlay-probe-${process.pid}-`))
  try {
    const places = overlayPlaces({ path, root: join(path, 'root', 'probe') })
    for (const folder of ['upper', 'work', 'lower', 'mount', 'above']) await mkdir(join(path, folder))
    await makeSample(join(path, 'above', SAMPLE))
    const outcome = await holdMount({ ...access, way, places, projectRoot, layersAbove: 'above:' })
    if (outcome.kind !== 'held')
      return refuse('not_available', reasonOf(access, projectRoot, { way, ...messageOf(outcome) }))
    try {
      const problem = await tryOut(access, places, outcome.held.pid, way)
      return problem === null ? ok(way) : refuse('not_available', problem)
    } finally {
      await outcome.held.end()
    }
  } finally {
    await removeFolder(path)
  }
}

/** A name that no project has, so that the sample in the layer between does not meet the project's own. */
const SAMPLE = '.agents-overlay-probe'

async function makeSample(folder: string): Promise<void> {
  for (const name of ['kept', 'hidden', 'moved']) await mkdir(join(folder, name), { recursive: true })
  for (const name of ['kept/appended', 'kept/removed', 'hidden/below', 'moved/inside'])
    await writeFile(join(folder, name), 'below\n')
}

/** Everything that a plan may do with files, once; null when all of it had the right effect. */
async function tryOut(
  { environment }: ProbeAccess,
  places: OverlayPlaces,
  pid: number,
  way: MountWay,
): Promise<string | null> {
  const root = `/proc/${pid}/root${places.mount}/${places.name}/${SAMPLE}`
  let step = 'looking into the mount of another process'
  try {
    statSync(root)
    step = 'changing a file'
    await appendFile(join(root, 'kept/appended'), 'above\n')
    step = 'removing a file'
    await rm(join(root, 'kept/removed'))
    step = 'replacing a folder'
    await rm(join(root, 'hidden'), { recursive: true })
    await mkdir(join(root, 'hidden'))
    step = 'moving a folder'
    await moveEntry(Buffer.from(join(root, 'moved')), Buffer.from(join(root, 'elsewhere')))
    await readFile(join(root, 'elsewhere/inside'))
    step = 'entering with a command'
    const namespaces = way === 'as_root' ? ['--mount'] : ['--user', '--mount', '--preserve-credentials']
    await run('nsenter', [`--target=${pid}`, ...namespaces, '--', 'true'], { env: { ...environment } })
    step = 'reading what was changed'
    const removed = lstatSync(join(places.upper, SAMPLE, 'kept/removed'), { bigint: true })
    const opaque = await opaqueFolders(places, environment)([`${SAMPLE}/hidden`, `${SAMPLE}/kept`])
    if (!opaque.ok) return opaque.failure.message
    const isRight = isWhiteout(removed) && [...opaque.value].join() === `${SAMPLE}/hidden`
    return isRight
      ? null
      : `The kernel marks what is removed from an overlay in a way that is not understood.`
  } catch (error) {
    return `Files can be laid over the project here, but ${step} fails in them (${errorCode(error) ?? String(error)}).`
  }
}

const run = promisify(execFile)

interface MountFailure {
  readonly way: MountWay
  readonly program: 'missing' | 'there'
  readonly message: string
}

function messageOf(
  outcome: { kind: 'taken' } | { kind: 'failed'; program: 'missing' | 'there'; message: string },
) {
  return outcome.kind === 'taken' ? { program: 'there' as const, message: 'it is in use' } : outcome
}

function reasonOf(
  { stateDir }: ProbeAccess,
  projectRoot: string,
  { way, program, message }: MountFailure,
): string {
  const missing = program === 'missing' ? 'unshare' : /(\w+): (?:command )?not found/.exec(message)?.[1]
  if (missing) return `The program ${missing} is missing; it comes with the package util-linux.`
  if (way === 'in_user_namespace') {
    if (read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1')
      return 'AppArmor keeps ordinary users from mounting in a namespace of their own (Ubuntu 24.04 and later). An administrator can allow it: sysctl kernel.apparmor_restrict_unprivileged_userns=0.'
    if (
      read('/proc/sys/user/max_user_namespaces') === '0' ||
      read('/proc/sys/kernel/unprivileged_userns_clone') === '0'
    )
      return 'User namespaces are switched off on this machine, and without one only root may mount.'
    if (/unshare/.test(message)) return `This user may have no namespace to mount in (${message}).`
  }
  return `Nothing can be laid over ${projectRoot} with the data folder ${stateDir} above it: ${message}. Both file systems must be able to take part in an overlay; a data folder elsewhere may be (--data-dir).`
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}
