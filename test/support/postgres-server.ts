import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface PostgresServer {
  /** The URL of one of its databases, reached over a socket in a temporary folder. */
  url(database: string): string
  /** Runs statements as somebody else, and gives back rows of texts. */
  sql(database: string, text: string): Promise<string[]>
  stop(): Promise<void>
}

/** A real server of this machine with an empty cluster; null, with the reason printed, where none is installed. */
export async function startPostgres(): Promise<PostgresServer | null> {
  const programs = await findPrograms()
  if (programs === null) {
    console.log('PostgreSQL is not installed here: what needs a server is not tested.')
    return null
  }
  const folder = await mkdtemp(join(tmpdir(), 'agents-postgres-'))
  const cluster = join(folder, 'cluster')
  // A server refuses to run as root.
  const as = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
  await chmod(folder, 0o777)
  const environment = { ...process.env, LC_ALL: 'C', HOME: folder }
  const [program = '', ...args] = [
    ...as,
    join(programs, 'initdb'),
    ...['-D', cluster, '-U', 'ada', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--no-locale'],
  ]
  await run(program, args, { env: environment, cwd: folder })
  const server = startServer([...as, join(programs, 'postgres')], { cluster, folder, environment })
  const sql = async (database: string, text: string) => {
    const asked = [
      '-h',
      folder,
      '-p',
      PORT,
      '-U',
      'ada',
      '-d',
      database,
      '-X',
      '-q',
      '-A',
      '-t',
      '-v',
      'ON_ERROR_STOP=1',
      '-c',
      text,
    ]
    const { stdout } = await run(join(programs, 'psql'), asked, { env: environment })
    return stdout.split('\n').filter(line => line !== '')
  }
  await untilItAnswers(() => sql('postgres', 'SELECT 1'))
  return {
    url: database => `postgresql://ada@localhost:${PORT}/${database}?host=${encodeURIComponent(folder)}`,
    sql,
    stop: async () => {
      server.kill('SIGQUIT')
      if (server.exitCode === null) await new Promise(ended => server.once('exit', ended))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Only part of the socket's name: nothing listens on the network. */
const PORT = '5439'

function startServer(
  command: readonly string[],
  { cluster, folder, environment }: { cluster: string; folder: string; environment: NodeJS.ProcessEnv },
): ChildProcess {
  const [program = '', ...args] = [
    ...command,
    ...[
      '-D',
      cluster,
      '-k',
      folder,
      '-p',
      PORT,
      '-c',
      'listen_addresses=',
      '-c',
      'fsync=off',
      '-c',
      'shared_buffers=16MB',
    ],
  ]
  return spawn(program, args, { env: environment, cwd: folder, stdio: 'ignore' })
}

async function untilItAnswers(ask: () => Promise<unknown>): Promise<void> {
  for (let tried = 0; ; tried++) {
    try {
      await ask()
      return
    } catch (error) {
      if (tried > 200) throw error
      await wait(50)
    }
  }
}

async function findPrograms(): Promise<string | null> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const folders = [
    ...versions
      .sort()
      .reverse()
      .map(version => join('/usr/lib/postgresql', version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return (
    folders.find(folder => ['initdb', 'postgres', 'psql'].every(name => existsSync(join(folder, name)))) ??
    null
  )
}
