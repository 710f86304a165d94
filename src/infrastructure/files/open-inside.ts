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
  return openInside(root, bytesOfRelPath(path), path, 'file')
}

/** Opens a folder; `null` is the root itself. */
export function openFolderInside(root: string, path: Uint8Array | null): Result<OpenFolder> {
  const bytes = path ?? new Uint8Array()
  const opened = openInside(root, bytes, Buffer.from(bytes).toString(), 'folder')
  if (!opened.ok) return opened
  const { fd, status, place, [Symbol.dispose]: dispose } = opened.value
  return { ok: true, value: { fd, status, at: name => join(place, name), [Symbol.dispose]: dispose } }
}

/** `place` is the way to what lies in an opened folder. */
type Opened = OpenFile & { readonly place: Buffer }

function openInside(root: string, bytes: Uint8Array, shown: string, kind: 'file' | 'folder'): Result<Opened> {
  using start = openRoot(root)
  const full = join(start.place, bytes.length === 0 ? Buffer.from('.') : bytes)
  const refused = refusalOfKind(full, shown, kind)
  if (refused) return refused
  // NONBLOCK: a FIFO put there after the look above must not hang us.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const fd = openSync(full, flags | (kind === 'folder' ? constants.O_DIRECTORY : 0))
  const status = fstatSync(fd)
  const isKind = kind === 'folder' ? status.isDirectory() : status.isFile()
  const name = join(start.name, bytes)
  if (isKind && liesAt(fd, status, name)) {
    const place = asksKernel ? placeOf(fd) : name
    return { ok: true, value: { fd, status, place, [Symbol.dispose]: () => closeSync(fd) } }
  }
  closeSync(fd)
  return refuse('invalid_input', `The path ${shown} leads through a link; name the real place instead.`, {
    path: shown,
  })
}

interface Root extends Disposable {
  /** As the kernel names it. */
  readonly name: Buffer
  readonly place: Buffer
}

/**
 * The root may be mounted for another process only, and the way to it then leads through /proc. What the links on such
 * a way say is not where they lead: only the kernel can follow them and say what it found.
 */
function openRoot(root: string): Root {
  if (!asksKernel) {
    const name = realpathSync.native(root, 'buffer')
    return { name, place: name, [Symbol.dispose]: () => {} }
  }
  const fd = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY)
  return {
    name: readlinkSync(placeOf(fd), 'buffer'),
    place: placeOf(fd),
    [Symbol.dispose]: () => closeSync(fd),
  }
}

function placeOf(fd: number): Buffer {
  return Buffer.from(`/proc/self/fd/${fd}`)
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

function liesAt(fd: number, here: Stats, name: Buffer): boolean {
  if (asksKernel) return name.equals(readlinkSync(placeOf(fd), 'buffer'))
  // Elsewhere a race is left: a folder swapped for a link and back between these two calls is not noticed.
  const real = realpathSync.native(name, 'buffer')
  const there = lstatSync(name)
  return name.equals(real) && there.dev === here.dev && there.ino === here.ino
}

function join(folder: Uint8Array, name: Uint8Array): Buffer {
  return name.length === 0 ? Buffer.from(folder) : Buffer.concat([folder, Buffer.from('/'), name])
}
