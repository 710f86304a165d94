import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { errorCode } from '../error-code.ts'
import { markName } from './supervised.ts'

/** Kills the processes of a command that started a session of their own and so left its group. Linux only. */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  for (const [index, pid] of pids.entries()) {
    if (isMarked(pid, mark)) kill(Number(pid))
    if (index % LOOKS_AT_ONCE === LOOKS_AT_ONCE - 1) await setImmediate()
  }
}

/** Such a file is no more than memory: reading it costs less than waiting for it. Between some of them others have their turn. */
const LOOKS_AT_ONCE = 50

function isMarked(pid: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(`${markName}=${mark}`)
  } catch {
    // Gone meanwhile, or somebody else's: not ours in either case.
    return false
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
