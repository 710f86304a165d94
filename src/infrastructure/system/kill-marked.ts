import { readdir, readFile } from 'node:fs/promises'
import { errorCode } from '../error-code.ts'
import { markName } from './supervised.ts'

/** Kills the processes of a command that started a session of their own and so left its group. Linux only. */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return
  for (const pid of await readdir('/proc')) {
    if (/^\d+$/.test(pid) && (await isMarked(pid, mark))) kill(Number(pid))
  }
}

async function isMarked(pid: string, mark: string): Promise<boolean> {
  // Gone meanwhile, or somebody else's: not ours in either case.
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => null)
  return environment?.includes(`${markName}=${mark}`) ?? false
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
