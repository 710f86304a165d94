import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ProcessIdentity } from '../../domain/plan/journal.ts'

/** The process of that id as it is now; null when there is none, or only its unread exit status is left. */
export function identify(pid: number): ProcessIdentity | null {
  const startedAt = startFromProc(pid) ?? startFromPs(pid)
  return startedAt === null || startedAt === GONE ? null : { pid, startedAt }
}

const GONE = 'gone'

/**
 * Linux counts in ticks since the boot, so the boot belongs to it. A process that has ended and was not waited for
 * (common in containers without an init) still has its entry.
 */
function startFromProc(pid: number): string | null {
  const bootId = read('/proc/sys/kernel/random/boot_id')
  if (bootId === null) return null
  const stat = read(`/proc/${pid}/stat`)
  if (stat === null) return GONE
  // The program's name stands in brackets and may hold spaces and brackets of its own.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, start] = [fields[STATE], fields[START]]
  if (state === 'Z' || state === 'X' || start === undefined) return GONE
  return `${bootId.trim()}:${start}`
}

/** Positions after the name, see proc_pid_stat(5). */
const STATE = 0
const START = 19

function startFromPs(pid: number): string | null {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  })
  const [state = '', ...start] = (stdout ?? '').trim().split(/\s+/)
  return status === 0 && start.length > 0 && !state.startsWith('Z') ? start.join(' ') : null
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
