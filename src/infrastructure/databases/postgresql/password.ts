import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Server {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** As PostgreSQL's own programs find it: the environment, then the password file. It is kept nowhere else. */
export async function findPassword(server: Server, environment: Environment): Promise<string | null> {
  if (environment['PGPASSWORD']) return environment['PGPASSWORD']
  const file = environment['PGPASSFILE'] ?? join(environment['HOME'] ?? homedir(), '.pgpass')
  const found = await stat(file).catch(() => null)
  // Others could have written or read it; PostgreSQL's own programs overlook it too.
  if (!found?.isFile() || (process.platform !== 'win32' && (found.mode & 0o077) !== 0)) return null
  return passwordIn(await readFile(file, 'utf8'), server)
}

/** https://www.postgresql.org/docs/current/libpq-pgpass.html */
export function passwordIn(text: string, { host, port, user, database }: Server): string | null {
  const name = host.startsWith('/') ? 'localhost' : host
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue
    const [password, ...wanted] = fieldsOf(line).reverse()
    const [ofUser, ofDatabase, ofPort, ofHost] = wanted
    const fits = [
      [ofHost, name],
      [ofPort, String(port)],
      [ofDatabase, database],
      [ofUser, user],
    ].every(([pattern, value]) => pattern === '*' || pattern === value)
    if (fits && password !== undefined) return password
  }
  return null
}

function fieldsOf(line: string): string[] {
  const fields = ['']
  for (const piece of line.match(/\\.|[^\\]/gs) ?? []) {
    if (piece === ':' && fields.length < 5) fields.push('')
    else fields[fields.length - 1] += piece.startsWith('\\') ? piece.slice(1) : piece
  }
  return fields
}
