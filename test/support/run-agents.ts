import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { sharedCompileCache } from './compile-cache.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface AgentsRun {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** The built program in one folder, with a store of its own: no run sees the plans of the machine it is tested on. */
export async function agentsIn(folder: string) {
  const home = await temporaryFolder()
  const start = (args: readonly string[]) =>
    spawn(process.execPath, [join(process.cwd(), 'dist/agents.mjs'), ...args], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        LANG: 'C.UTF-8',
        ...sharedCompileCache,
        CLEVERAGENTS_DATA_DIR: join(home, 'data'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const run = (...args: string[]): Promise<AgentsRun> => ended(start(args))
  /** The record that `--format json` prints. */
  const record = async (...args: string[]) => JSON.parse((await run(...args, '--format', 'json')).out)
  return { home, run, record, start: (...args: string[]) => start(args) }
}

export function ended(child: ReturnType<typeof spawn>): Promise<AgentsRun> {
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', piece => {
    out += piece
  })
  child.stderr?.setEncoding('utf8').on('data', piece => {
    err += piece
  })
  return new Promise(resolve => child.on('close', code => resolve({ code, out, err })))
}
