import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { runCommandLine } from '../../src/cli/run.ts'
import { composeHost } from '../../src/compose.ts'
import type { AgentsRun } from './run-agents.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The whole program in one folder, with a store of its own, inside this process: for many commands, of which each would take longer to start than to run. */
export async function agentsHere(folder: string) {
  const home = await temporaryFolder()
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    LANG: 'C.UTF-8',
    CLEVERAGENTS_DATA_DIR: join(home, 'data'),
  }
  return {
    async run(...args: string[]): Promise<AgentsRun> {
      const out = recorder()
      const err = recorder()
      const here: NodeJS.Process = Object.create(process, {
        env: { value: env },
        cwd: { value: () => folder },
        stdin: { value: new PassThrough().end() },
        stdout: { value: out.stream },
        stderr: { value: err.stream },
      })
      const code = await runCommandLine(args, composeHost(here))
      return { code, out: out.text(), err: err.text() }
    },
  }
}

function recorder() {
  const pieces: Buffer[] = []
  const stream = { write: (piece: string | Uint8Array) => pieces.push(Buffer.from(piece)) }
  return { stream, text: () => Buffer.concat(pieces).toString('utf8') }
}
