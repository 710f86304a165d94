import type { Sql } from 'postgres'
import type { Resource } from '../../../domain/resource.ts'
import { findPassword, type Server } from './password.ts'

/** One connection to a server: it is never exchanged for another, which would know nothing of the transaction. */
export interface Connection {
  /** Rows as texts, in the order of the columns. */
  query(sql: string, parameters?: readonly (string | number | boolean | null)[]): Promise<Answer>
  /** Why it is gone; null while it is open. */
  lost(): string | null
  end(): Promise<void>
}

export interface Answer {
  readonly columns: readonly { readonly name: string; readonly type: number }[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly changed: number
}

export async function connect(
  { location }: Resource,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Connection> {
  // The client is plain JavaScript without dependencies of its own; it is loaded when a server is first asked for.
  const { default: postgres } = await import('postgres')
  const server = serverOf(location)
  let gone: string | null = null
  let isEnding = false
  const pool = postgres({
    ...server,
    password: (await findPassword(server, environment)) ?? '',
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    fetch_types: false,
    prepare: false,
    onnotice: () => {},
    onclose: () => {
      if (!isEnding) gone ??= 'the server ended the connection'
    },
    // A plan that waits for a person is idle, and must not be ended for it.
    connection: {
      application_name: 'cleveragents',
      idle_in_transaction_session_timeout: 0,
      statement_timeout: 60_000,
    },
  })
  // Reserving makes no connection by itself when the types of the server are not fetched.
  try {
    await pool.unsafe('SELECT 1')
  } catch (error) {
    await pool.end({ timeout: 0 })
    throw error
  }
  const reserved = await pool.reserve()
  return {
    query: (sql, parameters = []) => run(reserved, sql, parameters),
    lost: () => gone,
    end: async () => {
      isEnding = true
      gone ??= 'it was ended'
      await pool.end({ timeout: 0 })
    },
  }
}

/** The extended protocol, which takes one statement at a time. */
async function run(
  sql: Pick<Sql, 'unsafe'>,
  text: string,
  parameters: readonly (string | number | boolean | null)[],
): Promise<Answer> {
  const given = parameters.map(value => (typeof value === 'number' ? String(value) : value))
  // `simple` is known to the client and missing in its types.
  const options = { prepare: false, simple: false } as { prepare: boolean }
  const answer = await sql.unsafe(text, given, options).raw()
  const rows = [...answer].map(row => row.map(cell => (cell === null ? null : Buffer.from(cell).toString())))
  const columns = (answer.columns ?? []).map(({ name, type }) => ({ name, type }))
  return {
    columns,
    rows,
    changed: columns.length > 0 && /^SELECT/.test(answer.command) ? 0 : (answer.count ?? 0),
  }
}

/** A socket's folder stands in the URL as `?host=/run/postgresql`. */
function serverOf(location: string): Server & { readonly ssl: 'require' | false } {
  const url = new URL(location)
  const user = decodeURIComponent(url.username) || 'postgres'
  return {
    host: url.searchParams.get('host') ?? (decodeURIComponent(url.hostname) || 'localhost'),
    port: Number(url.port || url.searchParams.get('port') || 5432),
    user,
    database: decodeURIComponent(url.pathname.slice(1)),
    ssl: ['require', 'verify-ca', 'verify-full'].includes(url.searchParams.get('sslmode') ?? '')
      ? 'require'
      : false,
  }
}
