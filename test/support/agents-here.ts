import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { runCommandLine } from '../../src/cli/run.ts'
import { composeHost } from '../../src/compose.ts'
import type { AgentsRun } from './run-agents.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The whole program in one folder, with a store of its own, inside this process: for many commands, of which each would take longer to start than to run. */
export async function agentsHere(folder: string, env?: NodeJS.ProcessEnv) {
  const ownEnv = env ?? (await environmentOfOwn())
  return {
    run,
    /** The record that `--format json` prints. */
    record: async (...args: string[]) => JSON.parse((await run(...args, '--format', 'json')).out),
  }

  /** `both` is what a terminal would show: the two streams in the order of their writing. */
  async function run(...args: string[]): Promise<AgentsRun & { both: string }> {
    const written: { stream: 'out' | 'err'; piece: Buffer }[] = []
    const recorder = (stream: 'out' | 'err') => ({
      write: (piece: string | Uint8Array) => written.push({ stream, piece: Buffer.from(piece) }),
    })
    const here: NodeJS.Process = Object.create(process, {
      env: { value: ownEnv },
      // What it starts of itself is the built program.
      argv: { value: [process.execPath, resolve('dist/agents.mjs'), ...args] },
      cwd: { value: () => folder },
      stdin: { value: new PassThrough().end() },
      stdout: { value: recorder('out') },
      stderr: { value: recorder('err') },
    })
    const code = await runCommandLine(args, composeHost(here))
    const text = (pieces: typeof written) => Buffer.concat(pieces.map(({ piece }) => piece)).toString('utf8')
    const of = (wanted: 'out' | 'err') => text(written.filter(({ stream }) => stream === wanted))
    return { code, out: of('out'), err: of('err'), both: text(written) }
  }
}

async function environmentOfOwn(): Promise<NodeJS.ProcessEnv> {
  const home = await temporaryFolder()
  return {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    LANG: 'C.UTF-8',
    CLEVERAGENTS_DATA_DIR: join(home, 'data'),
  }
}
