import {
  type BigIntStats,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { chmod, copyFile, rm, utimes } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { errorCode, isForbidden, isNothingThere } from '../../error-code.ts'
import type { FileToImport } from '../store/import-files.ts'
import type { EntryMode } from '../store/tree-diff.ts'
import { exactLstatIfThere } from '../writes/lstat-if-there.ts'
import { under } from '../writes/parents.ts'
import { belongsToOpenDatabase, copyDatabase, isDatabase, isInUse } from './copy-database.ts'
import { readStart } from './read-start.ts'
import type { FoundEntry, Survey } from './survey.ts'

export interface CopiedFile extends FileToImport {
  /** The original as it was read; null when it holds other bytes than the copy. */
  readonly original: BigIntStats | null
  readonly copy: BigIntStats
}

export interface CopyPlace {
  readonly from: Buffer
  readonly to: Buffer
  /** Whether a copy can share its blocks with the original until one of them is written. */
  readonly sharesBlocks: boolean
}

/** What was met on the way and is not in the copy, or in it other than by its bytes. */
export interface CopyRemarks {
  readonly unreadable: Buffer[]
  /** Open in another program, and copied as that program sees them. */
  readonly databases: Buffer[]
  /** Open in another program that would not let them be copied. */
  readonly tornDatabases: Buffer[]
  readonly pointers: Buffer[]
}

export function noRemarks(): CopyRemarks {
  return { unreadable: [], databases: [], tornDatabases: [], pointers: [] }
}

/** Makes the folders of a survey. Whoever owns the copy may always write in it and remove it. */
export function copyFolders(place: CopyPlace, survey: Survey): void {
  for (const { path, stat } of survey.folders)
    mkdirSync(under(place.to, path), { mode: Number(stat.mode & 0o777n) | 0o700 })
}

/**
 * Copies files and links one by one, with permissions and times, and hands each on. What vanished in
 * the meantime is passed over; what may not be read is noted.
 */
export async function* copyFiles(
  place: CopyPlace,
  entries: readonly FoundEntry[],
  remarks: CopyRemarks,
  signal: AbortSignal,
): AsyncGenerator<CopiedFile> {
  let seen = 0
  for (const entry of entries) {
    signal.throwIfAborted()
    const copied = await copyOrNote(place, entry, remarks)
    if (copied !== null) yield copied
    if (++seen % FILES_BETWEEN_PAUSES === 0) await setImmediate()
  }
}

const FILES_BETWEEN_PAUSES = 100
/** Up to here the bytes go through memory, which spares reading the copy again. */
const MAX_IN_MEMORY = 1024 * 1024

async function copyOrNote(
  place: CopyPlace,
  entry: FoundEntry,
  remarks: CopyRemarks,
): Promise<CopiedFile | null> {
  const from = under(place.from, entry.path)
  let found: FoundEntry = entry
  for (let looks = 1; ; looks++) {
    try {
      return await copyOne(place, found, remarks)
    } catch (error) {
      await rm(under(place.to, entry.path), { force: true })
      if (isForbidden(error)) remarks.unreadable.push(entry.path)
      else if (!isNothingThere(error) && !isOtherKind(error)) throw error
      const stat = exactLstatIfThere(from)
      // Gone, or something that is not copied; else it became another kind of entry between the look and the copy.
      if (isForbidden(error) || !(stat?.isFile() || stat?.isSymbolicLink()) || looks === MOST_LOOKS)
        return null
      found = { path: entry.path, stat }
    }
  }
}

const MOST_LOOKS = 10

/** A link was expected, or something that can be read. */
function isOtherKind(error: unknown): boolean {
  return ['EINVAL', 'ENXIO', 'EISDIR'].includes(errorCode(error) ?? '')
}

async function copyOne(
  place: CopyPlace,
  entry: FoundEntry,
  remarks: CopyRemarks,
): Promise<CopiedFile | null> {
  const { path, stat } = entry
  const from = under(place.from, path)
  if (belongsToOpenDatabase(from)) return null
  if (stat.isSymbolicLink()) return copyLink(place, entry)
  const isSmall = stat.size <= MAX_IN_MEMORY
  const first = isSmall && !place.sharesBlocks ? copyThroughMemory(place, entry) : await clone(place, entry)
  const start = first.content instanceof Uint8Array ? first.content : readStart(first.content.file)
  if (isPointer(start)) remarks.pointers.push(path)
  if (!isDatabase(start)) return first
  if (first.original !== null && !isInUse(from)) return first
  const copy = under(place.to, path)
  const isWhole = await copyDatabase(from, copy)
  const remark = isWhole ? remarks.databases : remarks.tornDatabases
  remark.push(path)
  if (!isWhole) return null
  return { ...fromDisk(copy, { path, mode: first.mode }), original: null }
}

function copyLink(place: CopyPlace, { path }: FoundEntry): CopiedFile {
  const target = readlinkSync(under(place.from, path), { encoding: 'buffer' })
  const copy = under(place.to, path)
  const original = lstatSync(under(place.from, path), { bigint: true })
  symlinkSync(target, copy)
  lutimesSync(copy, seconds(original.atimeNs), seconds(original.mtimeNs))
  return { path, mode: '120000', content: target, original, copy: lstatSync(copy, { bigint: true }) }
}

// Opened so that neither a link nor a pipe that took its place a moment ago is followed or waited for.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

function copyThroughMemory(place: CopyPlace, { path }: FoundEntry): CopiedFile {
  const source = openSync(under(place.from, path), READ)
  let content: Buffer
  let before: BigIntStats
  let after: BigIntStats
  try {
    before = fstatSync(source, { bigint: true })
    assertFile(before)
    content = readFileSync(source)
    after = fstatSync(source, { bigint: true })
  } finally {
    closeSync(source)
  }
  const copy = openSync(under(place.to, path), 'wx', 0o600)
  try {
    for (let written = 0; written < content.length; ) written += writeSync(copy, content, written)
    fchmodSync(copy, permissionsOf(before))
    futimesSync(copy, seconds(before.atimeNs), seconds(before.mtimeNs))
    const stat = fstatSync(copy, { bigint: true })
    return {
      path,
      mode: modeOf(before),
      content,
      original: isSame(before, after) ? before : null,
      copy: stat,
    }
  } finally {
    closeSync(copy)
  }
}

async function clone(place: CopyPlace, { path }: FoundEntry): Promise<CopiedFile> {
  const from = under(place.from, path)
  const to = under(place.to, path)
  const before = lstatSync(from, { bigint: true })
  assertFile(before)
  if (before.size <= MAX_IN_MEMORY) copyFileSync(from, to, constants.COPYFILE_FICLONE)
  else await copyFile(from, to, constants.COPYFILE_FICLONE)
  const after = lstatSync(from, { bigint: true })
  assertFile(after)
  await chmod(to, permissionsOf(before))
  await utimes(to, seconds(before.atimeNs), seconds(before.mtimeNs))
  const copied = fromDisk(to, { path, mode: modeOf(before) })
  return { ...copied, original: isSame(before, after) ? before : null }
}

/** What took the place of a file is not copied as one; a link would give the contents of another place. */
function assertFile(stat: BigIntStats): void {
  if (!stat.isFile()) throw Object.assign(new Error('no file any more'), { code: 'EINVAL' })
}

function fromDisk(file: Buffer, named: { path: Buffer; mode: EntryMode }): Omit<CopiedFile, 'original'> {
  const copy = lstatSync(file, { bigint: true })
  const size = Number(copy.size)
  return { ...named, copy, content: size <= MAX_IN_MEMORY ? readFileSync(file) : { file, size } }
}

/** Set-user and set-group bits stay behind: a copy must not lend anybody rights. */
function permissionsOf(stat: BigIntStats): number {
  return Number(stat.mode & 0o777n)
}

function modeOf(stat: BigIntStats): EntryMode {
  return stat.mode & 0o100n ? '100755' : '100644'
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ino === after.ino
}

function seconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e9
}

/** Stands for content that lies elsewhere, in the form of Git LFS. */
function isPointer(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, POINTER.length)).equals(POINTER)
}

const POINTER = Buffer.from('version https://git-lfs.github.com/spec/v1')
