import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { DiagnosticCheck } from '../../application/ports/machine.ts'
import { type ConfinementSettings, confinementNotice } from '../confinement/confine.ts'
import type { ConfinementProbe } from '../confinement/probe-confinement.ts'
import { whoRuns } from '../confinement/who-runs.ts'

export interface ConfinementSurroundings {
  readonly path: string
  readonly confinement: ConfinementSettings
  readonly probe: () => Promise<ConfinementProbe>
}

/** Whether commands are confined, by what, as whom they run, and what to do where they are not. */
export async function confinementChecks(
  { path, confinement, probe }: ConfinementSurroundings,
  folder: string | null,
): Promise<DiagnosticCheck[]> {
  const found = await probe()
  const version = await bubblewrapVersion(path)
  const isConfined = found.ok && confinement.mode !== 'off'
  return [
    {
      name: 'confinement',
      status: isConfined ? 'ok' : 'warn',
      // The name of the check says the first word already.
      message: confinementNotice(confinement.mode, found).replace(/^Confinement: /, ''),
      remedy: isConfined ? null : remedyFor(confinement.mode, found),
    },
    bubblewrapCheck(version, found),
    userNamespaces(),
    ...(folder === null ? [] : [runnerCheck(folder)]),
  ]
}

function remedyFor(mode: ConfinementSettings['mode'], probe: ConfinementProbe): string | null {
  if (mode === 'off') return 'To confine commands: agents config set sandbox.confinement preferred'
  if (probe.ok) return null
  if (/exists for Linux only/.test(probe.reason))
    return 'Run plans whose commands you trust, or work on Linux or in a Linux container.'
  if (/missing/.test(probe.reason)) return 'Install it, e.g. with: sudo apt install bubblewrap'
  if (/AppArmor/.test(probe.reason))
    return 'As root: apt install apparmor-profiles, then link /usr/share/apparmor/extra-profiles/bwrap-userns-restrict into /etc/apparmor.d and load it with apparmor_parser.'
  if (/user namespaces disabled/.test(probe.reason))
    return 'As root: sysctl user.max_user_namespaces=10000, and kernel.unprivileged_userns_clone=1 where the system has it. In a container, its host must permit them.'
  return 'Run bwrap --ro-bind / / true to see what the system says.'
}

function bubblewrapCheck(version: string | null, probe: ConfinementProbe): DiagnosticCheck {
  if (version === null)
    return { name: 'bubblewrap', status: 'info', message: 'not found on the PATH', remedy: null }
  const tried = probe.ok ? 'a trial command ran in it' : `a trial command did not run: ${probe.reason}`
  const nested =
    probe.ok && !probe.disablesUserNamespaces
      ? '; it is older than 0.8 and lets commands make namespaces of their own'
      : ''
  return { name: 'bubblewrap', status: 'info', message: `${version}; ${tried}${nested}`, remedy: null }
}

async function bubblewrapVersion(path: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('bwrap', ['--version'], { env: { PATH: path } })
    return stdout.trim().replace(/^bubblewrap /, '')
  } catch {
    return null
  }
}

function userNamespaces(): DiagnosticCheck {
  const most = readNumber('/proc/sys/user/max_user_namespaces')
  const isOff = most === 0 || readNumber('/proc/sys/kernel/unprivileged_userns_clone') === 0
  const isRestricted = readNumber('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === 1
  const message = isOff ? 'switched off' : isRestricted ? 'restricted by AppArmor' : 'permitted'
  const known = most === null ? 'this system has none' : message
  return { name: 'user namespaces', status: 'info', message: known, remedy: null }
}

function readNumber(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

function runnerCheck(folder: string): DiagnosticCheck {
  const runner = whoRuns(folder)
  const check = { name: 'commands', status: 'info', remedy: null } as const
  switch (runner.kind) {
    case 'self':
      return { ...check, message: 'run as you' }
    case 'owner':
      return { ...check, message: `run as the owner of the folder, user ${runner.user.uid}` }
    case 'root':
      return {
        ...check,
        message: `run as root${runner.canDropRights ? ', without its rights' : ''}`,
        status: runner.canDropRights ? 'info' : 'warn',
        remedy: runner.canDropRights ? null : 'Install util-linux, whose setpriv takes these rights away.',
      }
  }
}
