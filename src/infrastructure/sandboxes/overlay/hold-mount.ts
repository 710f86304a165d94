/**
 * A mount exists for as long as a process lives in its namespace. That is a tiny one which waits for us to end: it mounts
 * and then reads from a pipe of which only we hold the other end. However we end, the kernel ends it and the mount.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { OverlayPlaces } from './places.ts'

/** How the right to mount is had: as root, or as root of a namespace that an ordinary user may make. */
export type MountWay = 'as_root' | 'in_user_namespace'

export interface HeldMount {
  readonly pid: number
  readonly isAlive: () => boolean
  /** Closes the pipe and waits until the mount is gone. */
  end(): Promise<void>
}

export type HoldOutcome =
  | { readonly kind: 'held'; readonly held: HeldMount }
  /** Another living process has it mounted. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'failed'; readonly program: 'missing' | 'there'; readonly message: string }

export interface HoldSpec {
  readonly way: MountWay
  readonly places: Pick<OverlayPlaces, 'path' | 'name'>
  readonly projectRoot: string
  /** Folders of the plan that lie below the project, as further layers above it. For trying things out. */
  readonly layersAbove?: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export async function holdMount(spec: HoldSpec): Promise<HoldOutcome> {
  const { places, projectRoot, environment } = spec
  const namespaces = spec.way === 'as_root' ? [] : ['--user', '--map-root-user']
  const layers = `${spec.layersAbove ?? ''}lower`
  const child = spawn(
    'unshare',
    [
      ...namespaces,
      ...['--mount', '--propagation', 'private', '--'],
      ...['/bin/sh', '-c', script, 'holder', places.path, projectRoot, places.name, layers],
    ],
    // A group of its own: what is typed at the terminal is not meant for it.
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...environment, LC_ALL: 'C' }, detached: true },
  )
  let message = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (message += text))
  const ready = once(child.stdout, 'data').then(() => 'ready' as const)
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code) }))
  ready.catch(() => {})
  ended.catch(() => {})
  try {
    const first = await Promise.race([ready, ended])
    if (first === 'ready') return { kind: 'held', held: heldMount(child, ended) }
    if (first.code === TAKEN) return { kind: 'taken' }
    return { kind: 'failed', program: 'there', message: lastLine(message) }
  } catch (error) {
    return {
      kind: 'failed',
      program: 'missing',
      message: error instanceof Error ? error.message : String(error),
    }
  }
}

const TAKEN = 75

// Everything is named relative to the plan's folder: the options of a mount know no quoting for paths. The lock is held
// by whatever holds the mount, so that two never mount one upper layer, which the kernel would not refuse.
const script = `
set -e
cd "$1"
exec 9>holder.lock
flock --nonblock 9 || exit ${TAKEN}
mount --bind "$2" lower
mount -t tmpfs -o mode=755 tmpfs mount
mkdir "mount/$3"
mount -t overlay -o "userxattr,lowerdir=$4,upperdir=upper,workdir=work" overlay "mount/$3"
umount lower
if [ -e view/.git ]; then
  # In a linked worktree it is a file, and only a folder can be laid over a folder.
  if [ ! -d "mount/$3/.git" ]; then rm -f "mount/$3/.git"; mkdir "mount/$3/.git"; fi
  mount --bind view/.git "mount/$3/.git"
  if mount --bind view/objects "mount/$3/.git/borrowed"; then
    mount -o remount,bind,ro "mount/$3/.git/borrowed" || true
  fi
fi
mount --rbind "mount/$3" "$2"
echo ready
exec cat >/dev/null 2>&1
`

function heldMount(child: ChildProcess, ended: Promise<unknown>): HeldMount {
  // Whoever only has a sandbox open may end.
  child.unref()
  for (const stream of child.stdio) if (stream && 'unref' in stream) (stream.unref as () => void)()
  return {
    pid: child.pid ?? 0,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async end() {
      child.stdin?.end()
      const isGone = await Promise.race([ended, delay(END_MS, null)])
      if (isGone === null) child.kill('SIGKILL')
      await ended
    },
  }
}

const END_MS = 2_000

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
