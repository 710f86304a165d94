import { realpath, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import type { ResourceInspector } from '../../application/ports/resource.ts'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import { isDatabase } from './sqlite/states.ts'

export function createResourceInspector(): ResourceInspector {
  return {
    inspect: (type, location) =>
      type === 'sqlite' ? realFile(location) : Promise.resolve(plainUrl(location)),
    reach: ({ type, location }) => (type === 'sqlite' ? reachFile(location) : reachServer(location)),
  }
}

async function reachFile(location: string): Promise<string | null> {
  const found = await realFile(location)
  return found.ok ? null : found.failure.message
}

const POSTGRES_PORT = 5432

/** Whether something listens there. A place that is a folder of sockets is left to the connection itself. */
function reachServer(location: string): Promise<string | null> {
  const { hostname, port } = new URL(location)
  if (hostname === '' || hostname.startsWith('%2F')) return Promise.resolve(null)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port: Number(port) || POSTGRES_PORT, timeout: REACH_MS })
  return new Promise(resolve => {
    const end = (problem: string | null) => {
      socket.destroy()
      resolve(problem)
    }
    socket.once('connect', () => end(null))
    socket.once('timeout', () => end(`${host} did not answer.`))
    socket.once('error', error => end(`${host} refused: ${error.message}.`))
  })
}

const REACH_MS = 3_000

async function realFile(location: string): Promise<Result<string>> {
  const real = await realpath(location).catch(() => null)
  const found = real === null ? null : await stat(real)
  if (real === null || !found?.isFile())
    return refuse('not_found', `There is no file ${location}.`, { location })
  if (await isDatabase(real)) return ok(real)
  return refuse('invalid_input', `${location} is not a SQLite database.`, { location })
}

/** Names the database and nothing that opens it: what is registered is shown in lists and kept in our store. */
function plainUrl(location: string): Result<string> {
  const url = URL.canParse(location) ? new URL(location) : null
  const isPostgres = url?.protocol === 'postgresql:' || url?.protocol === 'postgres:'
  if (!url || !isPostgres || url.pathname.length < 2) {
    const form = 'Write postgresql://USER@HOST:PORT/DATABASE.'
    return refuse('invalid_input', `This is not the URL of a PostgreSQL database. ${form}`)
  }
  if (url.password === '' && !url.searchParams.has('password')) return ok(location)
  return refuse(
    'invalid_input',
    'The URL holds a password, which would be kept in plain text. Leave it out, and set PGPASSWORD or write it into the file ~/.pgpass.',
  )
}
