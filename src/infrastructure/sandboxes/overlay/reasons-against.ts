import { execFile } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { promisify } from 'node:util'
import type { Unavailable } from '../../../domain/sandbox/strategy.ts'
import type { Probe, ProbeAccess } from './probe.ts'

/** Why this project cannot be worked on in an overlay here; null when it can. */
export async function reasonAgainst(
  access: ProbeAccess,
  probe: Probe,
  projectRoot: string,
): Promise<Unavailable | null> {
  if (!existsSync(projectRoot))
    return { reason: `There is no folder ${projectRoot}; the project must be there.`, nextBest: null }
  const reason =
    holdsDataFolder(access, projectRoot) ??
    mountedInside(projectRoot) ??
    (await refusalOf(access, probe, projectRoot))
  return reason === null ? null : { reason, nextBest: 'filesystem_copy' }
}

function holdsDataFolder({ stateDir }: ProbeAccess, projectRoot: string): string | null {
  if (!existsSync(stateDir)) return null
  const way = relative(realpathSync(projectRoot), realpathSync(stateDir))
  if (way === '..' || way.startsWith(`..${sep}`)) return null
  return `${projectRoot} holds the data folder of this program, which cannot be laid over itself. Start the plan in a folder below, or choose another data folder with --data-dir.`
}

/** An overlay shows the folder under such a mount, not what is mounted there. */
function mountedInside(projectRoot: string): string | null {
  if (process.platform !== 'linux') return null
  const start = `${realpathSync(projectRoot)}/`
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map(line => line.split(' ')[4] ?? '')
    .map(point =>
      point.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
    )
  const inside = points.find(point => point.startsWith(start))
  return inside
    ? `Another file system is mounted inside the project, at ${inside}; the sandbox would not show it.`
    : null
}

async function refusalOf(access: ProbeAccess, probe: Probe, projectRoot: string): Promise<string | null> {
  const way = await probe(projectRoot)
  if (!way.ok) return way.failure.message
  return way.value === 'in_user_namespace' ? foreignOwner(access, projectRoot) : null
}

/** In a namespace of one user, a file of another can be read but not changed: the kernel has no number to give it. */
async function foreignOwner({ environment }: ProbeAccess, projectRoot: string): Promise<string | null> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const foreign = ['(', '!', '-uid', String(uid), '-o', '!', '-gid', String(gid), ')', '-print0', '-quit']
  const found = await run('find', [projectRoot, '-xdev', ...foreign], {
    env: { ...environment, LC_ALL: 'C' },
  }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; message: string }) => error.stdout || error.message,
  )
  const [first] = found.split('\0')
  return first
    ? `${first} belongs to another user or group, so the plan could not change it in an overlay. Give it to yourself, or use a copy.`
    : null
}

const run = promisify(execFile)
