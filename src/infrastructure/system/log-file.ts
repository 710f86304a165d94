import { renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { destination, pino } from 'pino'
import { makeFolders } from '../files/make-folders.ts'

export type Log = (message: string, facts?: Record<string, unknown>) => void

const MOST_BYTES = 5 * 1024 * 1024

/** The backend's own log, one JSON object a line. One older file is kept, so that it never grows without bound. */
export function openLogFile(dataDir: string): Log {
  const file = join(dataDir, 'logs', 'backend.log')
  makeFolders(dirname(file))
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) renameSync(file, `${file}.1`)
  // pino: structured, quick, and it can cut secrets out of what it writes.
  const log = pino(
    { redact: ['*.token', '*.key', '*.password', '*.secret'] },
    destination({ dest: file, sync: true, mode: 0o600 }),
  )
  return (message, facts = {}) => log.info(facts, message)
}
