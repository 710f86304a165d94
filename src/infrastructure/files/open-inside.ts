/**
 * Opening files that must lie inside one folder. Links are never followed by accident: a file is opened first and the
 * kernel is then asked where it really lies, so nothing swapped in between the check and the use can lead outside.
 * Knows nothing of tools. Begin with `openInside`.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { type Result, refuse } from '../../domain/failure.ts'
import { bytesOfRelPath, type RelPath } from '../../domain/sandbox/rel-path.ts'

export interface OpenFile extends Disposable {
  readonly fd: number
  readonly status: Stats
}

/** A folder held open; names below it are reached through the descriptor, not through its path. */
export interface OpenFolder extends OpenFile {
  /** What names an entry of this very folder, even if the folder is moved or replaced meanwhile. */
  at(name: Uint8Array): Buffer
}

/**
 * Opens a regular file for reading. No part of the path may be a link. Synchronous, because a search opens thousands:
 * waiting for a thread at every call costs ten times the call.
 */
export function openFileInside(root: string, path: RelPath): Result<OpenFile> {
  return openInside(realpathSync.native(root), bytesOfRelPath(path), path, 'file')
}

/** Opens a folder; `null` is the root itself. */
export function openFolderInside(root: string, path: Uint8Array | null): Result<OpenFolder> {
  const real = realpathSync.native(root)
  const bytes = path ?? new Uint8Array()
  const opened = openInside(real, bytes, Buffer.from(bytes).toString(), 'folder')
  if (!opened.ok) return opened
  const folder = opened.value
  const at = (name: Uint8Array) => nameBelow(folder.fd, join(real, bytes), name)
  return { ok: true, value: { ...folder, at, [Symbol.dispose]: folder[Symbol.dispose] } }
}

function openInside(
  root: string,
  bytes: Uint8Array,
  shown: string,
  kind: 'file' | 'folder',
): Result<OpenFile> {
  const full = join(root, bytes)
  const refused = refusalOfKind(full, shown, kind)
  if (refused) return refused
  // NONBLOCK: a FIFO put there after the look above must not hang us.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const fd = openSync(full, flags | (kind === 'folder' ? constants.O_DIRECTORY : 0))
  const status = fstatSync(fd)
  const isKind = kind === 'folder' ? status.isDirectory() : status.isFile()
  if (isKind && liesAt(fd, status, full))
    return { ok: true, value: { fd, status, [Symbol.dispose]: () => closeSync(fd) } }
  closeSync(fd)
  return refuse('invalid_input', `The path ${shown} leads through a link; name the real place instead.`, {
    path: shown,
  })
}

function refusalOfKind(full: Buffer, shown: string, kind: 'file' | 'folder') {
  const status = lstatSync(full)
  if (kind === 'folder' ? status.isDirectory() : status.isFile()) return null
  const found = kindOf(status)
  return refuse('invalid_input', `The path ${shown} is ${found}, not a ${kind}.`, { path: shown, found })
}

export function kindOf(status: Stats): string {
  if (status.isFile()) return 'a file'
  if (status.isDirectory()) return 'a folder'
  if (status.isSymbolicLink()) return 'a link'
  if (status.isFIFO()) return 'a named pipe'
  return status.isSocket() ? 'a socket' : 'a device'
}

const asksKernel = process.platform === 'linux'

function liesAt(fd: number, here: Stats, full: Buffer): boolean {
  if (asksKernel) return full.equals(readlinkSync(`/proc/self/fd/${fd}`, 'buffer'))
  // Elsewhere a race is left: a folder swapped for a link and back between these two calls is not noticed.
  const real = realpathSync.native(full, 'buffer')
  const there = lstatSync(full)
  return full.equals(real) && there.dev === here.dev && there.ino === here.ino
}

function nameBelow(fd: number, folder: Buffer, name: Uint8Array): Buffer {
  return join(asksKernel ? `/proc/self/fd/${fd}` : folder, name)
}

function join(folder: string | Uint8Array, name: Uint8Array): Buffer {
  const start = Buffer.from(folder)
  return name.length === 0 ? start : Buffer.concat([start, Buffer.from('/'), name])
}
