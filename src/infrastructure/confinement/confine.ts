/**
 * What a command of a plan can reach. On Linux bubblewrap shows it a read-only system with the sandbox at the project's
 * own path (so that absolute links, caches and shebangs mean the sandbox, not the project), no network, no other
 * processes, and empty places where secrets lie. Begin with `confine`.
 */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { assertNever, type Result, refuse } from '../../domain/failure.ts'
import type { SandboxEntry } from '../../domain/sandbox/strategy.ts'
import type { ProcessUser } from '../system/run-process.ts'
import type { CommandView } from './command-view.ts'
import { realPath } from './hidden-places.ts'
import { layOut } from './lay-out.ts'
import type { ConfinementProbe } from './probe-confinement.ts'
import { homeOf, whoRuns } from './who-runs.ts'

export interface ConfinementSettings {
  readonly mode: 'required' | 'preferred' | 'off'
  /** The home folder of whoever started us. */
  readonly home: string
  /** Absolute paths of what commands may read of it besides tools and caches. */
  readonly homeVisible: readonly string[]
  /** Our own data and settings, which no command ever sees. */
  readonly own: readonly string[]
}

export interface ConfineSpec {
  readonly settings: ConfinementSettings
  readonly probe: ConfinementProbe
  /** Absolute folder of the sandbox. */
  readonly root: string
  /** How a process gets there where the root is mounted for a few processes only. */
  readonly entry: SandboxEntry | null
  /** Absolute folder of the user's project; the same as root where there is no sandbox. */
  readonly projectRoot: string
  readonly access: 'read_write' | 'read_only'
  readonly network: 'none' | 'full'
  /** Working folder, relative to the root; empty for the root itself. */
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly view: CommandView
}

export interface Confined {
  /** Put before the command's own argv. */
  readonly prefix: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly user: ProcessUser | null
  readonly confined: boolean
  /** What a person must know about it, word for word. */
  readonly notice: string
}

export function confine(spec: ConfineSpec): Result<Confined> {
  const { mode } = spec.settings
  const reason = mode === 'off' ? 'switched off by the setting' : spec.probe.ok ? null : spec.probe.reason
  if (reason === null) return { ok: true, value: inBubblewrap(spec) }
  const notice = unconfinedNotice(reason)
  switch (mode) {
    case 'required':
      return refuse('preflight_failed', `${notice} The setting requires confinement, so nothing was run.`, {
        reason,
      })
    case 'preferred':
    case 'off':
      if (spec.access === 'read_only')
        return refuse('denied', `${notice} Without it a command cannot be kept from writing in this phase.`, {
          reason,
        })
      return { ok: true, value: unconfined(spec, notice) }
    default:
      return assertNever(mode)
  }
}

/** The sentence shown at start for what a probe found. */
export function confinementNotice(
  mode: ConfinementSettings['mode'],
  probe: ConfinementProbe,
  network: 'none' | 'full' = 'none',
): string {
  if (mode === 'off') return unconfinedNotice('switched off by the setting')
  if (!probe.ok) return unconfinedNotice(probe.reason)
  return `Confinement: bubblewrap (filesystem${network === 'none' ? ' + network' : ''} + processes).`
}

function unconfinedNotice(reason: string): string {
  return `Confinement: NONE. Commands run with your full rights, the network included. Reason: ${reason}.`
}

function inBubblewrap(spec: ConfineSpec): Confined {
  const { settings, projectRoot, view, network } = spec
  const runner = whoRuns(projectRoot)
  const user = runner.kind === 'owner' ? runner.user : null
  const home = user ? homeOf(user.uid) : settings.home
  return {
    prefix: [
      ...enter(spec, user),
      'bwrap',
      ...namespaces(spec),
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
      ...(runner.kind === 'root' ? withoutRights : []),
      ...layOut({
        home,
        // What lies in the home of root, the owner of the project may not even reach.
        otherHomes: user ? [settings.home] : [],
        chosen: settings.homeVisible,
        own: settings.own,
        environment: spec.environment,
        emptyFile: view.emptyFile,
      }),
      ...(network === 'full' ? nameResolution() : []),
      ...sandboxMounts(spec),
      ...['--chdir', join(realpathSync(projectRoot), spec.cwd)],
      '--',
    ],
    cwd: '/',
    environment: { ...spec.environment, ...insideEnvironment, HOME: home },
    user: spec.entry ? null : user,
    confined: true,
    notice: confinementNotice(settings.mode, spec.probe, network),
  }
}

function namespaces({ network, probe }: ConfineSpec): readonly string[] {
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    // A command with a namespace of its own could lift the read-only mounts.
    ...(probe.ok && probe.disablesUserNamespaces ? ['--unshare-user', '--disable-userns'] : []),
    ...(network === 'full' ? ['--share-net'] : []),
  ]
}

/** Root stays the owner of the kernel's switches even in a namespace; only these two take them away. After /proc. */
const withoutRights = [
  ...['--cap-drop', 'ALL'],
  ...['--ro-bind', '/proc/sys', '/proc/sys'],
  ...['--ro-bind-try', '/proc/sysrq-trigger', '/proc/sysrq-trigger'],
]

/** Where names are resolved through a file below /run, which is hidden. */
function nameResolution(): readonly string[] {
  const file = realPath('/etc/resolv.conf')
  return file?.startsWith('/run/') ? ['--ro-bind', file, file] : []
}

function sandboxMounts({ root, entry, projectRoot, access, view }: ConfineSpec): readonly string[] {
  const bind = access === 'read_write' ? '--bind' : '--ro-bind'
  return [bind, entry?.root ?? realpathSync(root), realpathSync(projectRoot), ...view.gitMounts]
}

/** Only who started us may enter, so the change to another user comes after. */
function enter({ entry }: ConfineSpec, user: ProcessUser | null): readonly string[] {
  if (!entry) return []
  return user === null
    ? entry.prefix
    : [...entry.prefix, ...['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--']]
}

/** Caches that build tools insist on writing; the home folder is read-only. */
const insideEnvironment = { TMPDIR: '/tmp', XDG_CACHE_HOME: '/tmp/cache' }

function unconfined(spec: ConfineSpec, notice: string): Confined {
  const runner = whoRuns(spec.projectRoot)
  const user = runner.kind === 'owner' ? runner.user : null
  const home = user && homeOf(user.uid)
  const fewerRights = runner.kind === 'root' && runner.canDropRights ? setprivArguments : []
  return {
    prefix: [
      ...enter(spec, user),
      ...(spec.entry ? atFolder(join(spec.entry.root, spec.cwd)) : []),
      ...fewerRights,
    ],
    cwd: spec.entry ? '/' : join(spec.root, spec.cwd),
    environment: { ...spec.environment, ...(home && { HOME: home }) },
    user: spec.entry ? null : user,
    confined: false,
    notice: runner.kind === 'root' && !runner.canDropRights ? `${notice} They run as root.` : notice,
  }
}

/** A folder that is there for those who entered only. */
function atFolder(folder: string): readonly string[] {
  return ['/bin/sh', '-c', 'cd "$0" && exec "$@"', folder]
}

const setprivArguments = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', '--']
