import { execFile } from 'node:child_process'
import type { ProcessUser } from '../system/run-process.ts'

export type ConfinementProbe =
  | { readonly ok: true; readonly disablesUserNamespaces: boolean }
  | { readonly ok: false; readonly reason: string }

/** What was found good, by where it was searched for and for whom: it is so until the machine changes. */
const good = new Map<string, ConfinementProbe>()

/** Finds out by really running `true` in bubblewrap. */
export async function probeConfinement(
  path: string,
  user: ProcessUser | null = null,
): Promise<ConfinementProbe> {
  const key = `${user?.uid ?? ''} ${path}`
  const found = good.get(key) ?? (await probe(path, user))
  if (found.ok) good.set(key, found)
  return found
}

async function probe(path: string, user: ProcessUser | null): Promise<ConfinementProbe> {
  if (process.platform !== 'linux')
    return { ok: false, reason: `bubblewrap exists for Linux only, and this is ${process.platform}` }
  const withoutNested = await tryBubblewrap(path, user, ['--unshare-user', '--disable-userns'])
  if (withoutNested === null) return { ok: true, disablesUserNamespaces: true }
  const plain = await tryBubblewrap(path, user, [])
  return plain === null ? { ok: true, disablesUserNamespaces: false } : { ok: false, reason: reasonOf(plain) }
}

interface ProbeFailure {
  readonly missing: boolean
  readonly stderr: string
}

function tryBubblewrap(
  path: string,
  user: ProcessUser | null,
  more: readonly string[],
): Promise<ProbeFailure | null> {
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp']
  const argv = ['--unshare-all', '--die-with-parent', '--new-session', ...more, ...mounts, '--', 'true']
  const options = { env: { PATH: path }, timeout: 10_000, ...(user && { uid: user.uid, gid: user.gid }) }
  return new Promise(resolve => {
    execFile('bwrap', argv, options, (error, _stdout, stderr) =>
      resolve(error ? { missing: error.code === 'ENOENT', stderr: stderr.trim() } : null),
    )
  })
}

function reasonOf({ missing, stderr }: ProbeFailure): string {
  if (missing) return 'bwrap missing'
  if (/uid map: Permission denied|RTM_NEWADDR/.test(stderr))
    return 'AppArmor restricts user namespaces (Ubuntu 24.04+): load the bwrap-userns-restrict profile'
  if (/creating new namespace failed|No permissions to creat|unprivileged_userns/i.test(stderr))
    return 'user namespaces disabled'
  return `bwrap does not start (${stderr.split('\n').at(-1) || 'no message'})`
}
