import { type BigIntStats, lstatSync, readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { isForbidden, isNothingThere } from '../../error-code.ts'
import { under } from '../writes/parents.ts'

/** What a folder holds, found without following a link, opening a file or looking into another repository. */
export interface Survey {
  /** Files and links. */
  readonly entries: readonly FoundEntry[]
  /** Outermost first; without the root. */
  readonly folders: readonly FoundEntry[]
  /** Nested repositories, recognised by a `.git` folder as well as by a `.git` file. */
  readonly repositories: readonly Buffer[]
  /** Pipes, sockets and devices. */
  readonly specials: readonly Buffer[]
  /** Folders whose contents cannot be listed. */
  readonly unreadable: readonly Buffer[]
}

export interface FoundEntry {
  readonly path: Buffer
  readonly stat: BigIntStats
}

const ENTRIES_BETWEEN_PAUSES = 500

/** Systems take paths of 4,096 bytes; a sandbox lies deeper than its project, and must still be removable. */
const MAX_PATH_BYTES = 3_000

/** `leftOut` names what is not looked at: paths as latin1, folders without their closing slash. */
export async function surveyFolder(
  root: Buffer,
  leftOut: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Survey> {
  const survey = {
    entries: [] as FoundEntry[],
    folders: [] as FoundEntry[],
    repositories: [] as Buffer[],
    specials: [] as Buffer[],
    unreadable: [] as Buffer[],
  }
  const waiting: (Buffer | null)[] = [null]
  let seen = 0
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const names = listNames(folder === null ? root : under(root, folder))
    if (names === null) {
      if (folder !== null) survey.unreadable.push(folder)
      continue
    }
    for (const name of names) {
      if (folder === null && name.equals(GIT)) continue
      const path = folder === null ? name : Buffer.concat([folder, SLASH, name])
      if (leftOut.has(path.toString('latin1'))) continue
      if (path.length > MAX_PATH_BYTES) {
        survey.unreadable.push(path)
        continue
      }
      const stat = look(under(root, path))
      if (stat === 'gone') continue
      if (stat === 'forbidden') survey.unreadable.push(path)
      else if (stat.isFile() || stat.isSymbolicLink()) survey.entries.push({ path, stat })
      else if (!stat.isDirectory()) survey.specials.push(path)
      else if (isRepository(root, path)) survey.repositories.push(path)
      else {
        survey.folders.push({ path, stat })
        waiting.push(path)
      }
      if (++seen % ENTRIES_BETWEEN_PAUSES === 0) await setImmediate()
      signal.throwIfAborted()
    }
  }
  return survey
}

function listNames(folder: Buffer): Buffer[] | null {
  try {
    return readdirSync(folder, { encoding: 'buffer' }).sort(Buffer.compare)
  } catch (error) {
    if (isNothingThere(error)) return []
    if (isForbidden(error)) return null
    throw error
  }
}

function isRepository(root: Buffer, folder: Buffer): boolean {
  return typeof look(under(root, Buffer.concat([folder, SLASH, GIT]))) !== 'string'
}

function look(path: Buffer): BigIntStats | 'gone' | 'forbidden' {
  try {
    return lstatSync(path, { bigint: true })
  } catch (error) {
    if (isNothingThere(error)) return 'gone'
    if (isForbidden(error)) return 'forbidden'
    throw error
  }
}

const GIT = Buffer.from('.git')
const SLASH = Buffer.from('/')
