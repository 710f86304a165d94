import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import { refuseEarlier } from '../../sandboxes/renew.ts'
import type { SQLite } from './load.ts'

/** The recorded states of one database: whole files, each under the digest of its bytes. */
export interface States {
  /** Records the database in `file` as it is now, also while others write in it. */
  record(file: string): Promise<Result<SandboxState>>
  /** Takes a closed database file over as a state; it is gone from where it was. */
  adopt(file: string): Promise<Result<SandboxState>>
  file(state: SandboxState): Result<string>
  /** Also of a sandbox before this one: such a state can be compared, and not returned to. */
  fileToCompare(state: SandboxState): Result<string>
  /** Puts a state in the place of a database that nobody has open. */
  putBack(state: SandboxState, file: string): Promise<Result<void>>
  /** A file name for something that is not a state yet. */
  scratch(): string
}

export function statesIn(sqlite: SQLite, folder: string, earlier: readonly string[] = []): States {
  const scratch = () => join(folder, `.${randomUUID()}.new`)
  const fileOf = (state: string) => join(folder, `${state}.db`)
  return { record, adopt, file, fileToCompare, putBack, scratch }

  async function record(source: string): Promise<Result<SandboxState>> {
    await mkdir(folder, { recursive: true })
    const target = scratch()
    try {
      if (!(await copyWhileQuiet(sqlite, source, target))) await copyLive(sqlite, source, target)
      return await adopt(target)
    } finally {
      await rm(target, { force: true })
    }
  }

  async function adopt(target: string): Promise<Result<SandboxState>> {
    if (!(await isDatabase(target)))
      return refuse('checkpoint_unverified', 'The copy of the database could not be read back.')
    const state = await digestOf(target)
    if (existsSync(fileOf(state))) await rm(target)
    else await rename(target, fileOf(state))
    return ok(state as SandboxState)
  }

  function file(state: SandboxState): Result<string> {
    const path = fileOf(state)
    if (isName(state) && existsSync(path)) return ok(path)
    return fileBefore(state) === undefined ? refuseUnknown(state) : refuseEarlier(state)
  }

  function fileToCompare(state: SandboxState): Result<string> {
    const before = fileBefore(state)
    const own = file(state)
    return own.ok || before === undefined ? own : ok(before)
  }

  function fileBefore(state: SandboxState): string | undefined {
    return isName(state) ? earlier.map(place => join(place, `${state}.db`)).find(existsSync) : undefined
  }

  async function putBack(state: SandboxState, target: string): Promise<Result<void>> {
    const source = file(state)
    if (!source.ok) return source
    // Beside the target it would be a file of the project to whoever looks at that moment.
    const fresh = scratch()
    try {
      await copyFile(source.value, fresh, constants.COPYFILE_FICLONE)
      if ((await digestOf(fresh)) !== state)
        return refuse('sandbox_failed', 'The database was not restored: its recorded state is damaged.')
      // What was not folded in yet belongs to the file that goes.
      for (const suffix of ['-wal', '-shm', '-journal']) await rm(`${target}${suffix}`, { force: true })
      await rename(fresh, target)
      return ok()
    } finally {
      await rm(fresh, { force: true })
    }
  }
}

function isName(state: string): boolean {
  return /^[0-9a-f]{64}$/.test(state)
}

function refuseUnknown(state: SandboxState) {
  return refuse('not_found', `The state ${state.slice(0, 12)} of the database is not known.`, { state })
}

/**
 * A plain copy while a lock keeps writers away and the log is folded in; false when somebody is in the way. The lock
 * ends when the copied file is closed, since this process loses all its locks on a file that it closes.
 */
async function copyWhileQuiet({ DatabaseSync }: SQLite, source: string, target: string): Promise<boolean> {
  const db = new DatabaseSync(source, { timeout: 1_000 })
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.exec('BEGIN IMMEDIATE')
    const log = await stat(`${source}-wal`).catch(() => null)
    const isFolded = log === null || log.size === 0
    if (isFolded) await copyFile(source, target, constants.COPYFILE_FICLONE)
    db.exec('ROLLBACK')
    return isFolded
  } catch {
    await rm(target, { force: true })
    return false
  } finally {
    db.close()
  }
}

/** All pages in one step: a copy in several would begin anew at every write of another program. */
export async function copyLive(
  { DatabaseSync, backup }: SQLite,
  source: string,
  target: string,
): Promise<void> {
  // Reading only would leave the files of the log beside the database.
  const db = new DatabaseSync(source, { timeout: 5_000 })
  try {
    await backup(db, target, { rate: 2 ** 31 - 1 })
  } finally {
    db.close()
  }
}

/** An empty file is an empty database. https://www.sqlite.org/fileformat.html#the_database_header */
export async function isDatabase(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    return bytesRead === 0 || buffer.toString('latin1', 0, bytesRead) === 'SQLite format 3\0'
  } finally {
    await handle.close()
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash)
  return hash.digest('hex')
}
