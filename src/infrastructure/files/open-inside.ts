/**
 * Opening files that must lie inside one folder. Links are never followed by accident: a file is opened first and the
 * kernel is then asked where it really lies, so nothing swapped in between the check and the use can lead outside.
 * Knows nothing of tools. Begin with `openInside`.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { type Result, refuse } from '../../domain/failure.ts'
import { bytesOfRelPath, type RelPath } from '../../domain/sandbox/rel-path.ts'

/** A folder held open; names below it are reached through the handle, not through its path. */
export interface OpenFolder {
  readonly handle: FileHandle
  /** What names an entry of this very folder, even if the folder is moved or replaced meanwhile. */
  at(name: Uint8Array): Buffer
}

/** Opens a regular file for reading. No part of the path may be a link. */
export async function openFileInside(root: string, path: RelPath): Promise<Result<FileHandle>> {
  return openInside(await realpath(root), bytesOfRelPath(path), path, 'file')
}

/** Opens a folder; `null` is the root itself. */
export async function openFolderInside(root: string, path: Uint8Array | null): Promise<Result<OpenFolder>> {
  const real = await realpath(root)
  const bytes = path ?? new Uint8Array()
  const opened = await openInside(real, bytes, Buffer.from(bytes).toString(), 'folder')
  if (!opened.ok) return opened
  const handle = opened.value
  return { ok: true, value: { handle, at: name => nameBelow(handle, join(real, bytes), name) } }
}

async function openInside(
  root: string,
  bytes: Uint8Array,
  shown: string,
  kind: 'file' | 'folder',
): Promise<Result<FileHandle>> {
  const full = join(root, bytes)
  const refused = await refusalOfKind(full, shown, kind)
  if (refused) return refused
  // NONBLOCK: a FIFO put there after the look above must not hang us.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(full, flags | (kind === 'folder' ? constants.O_DIRECTORY : 0))
  const status = await handle.stat()
  const isKind = kind === 'folder' ? status.isDirectory() : status.isFile()
  if (isKind && (await liesAt(handle, full))) return { ok: true, value: handle }
  await handle.close()
  return refuse('invalid_input', `The path ${shown} leads through a link; name the real place instead.`, {
    path: shown,
  })
}

async function refusalOfKind(full: Buffer, shown: string, kind: 'file' | 'folder') {
  const status = await lstat(full)
  if (kind === 'folder' ? status.isDirectory() : status.isFile()) return null
  const found = kindOf(status)
  return refuse('invalid_input', `The path ${shown} is ${found}, not a ${kind}.`, { path: shown, found })
}

export function kindOf(status: Awaited<ReturnType<typeof lstat>>): string {
  if (status.isFile()) return 'a file'
  if (status.isDirectory()) return 'a folder'
  if (status.isSymbolicLink()) return 'a link'
  if (status.isFIFO()) return 'a named pipe'
  return status.isSocket() ? 'a socket' : 'a device'
}

const asksKernel = process.platform === 'linux'

async function liesAt(handle: FileHandle, full: Buffer): Promise<boolean> {
  if (asksKernel) return full.equals(await readlink(`/proc/self/fd/${handle.fd}`, 'buffer'))
  // Elsewhere a race is left: a folder swapped for a link and back between these two calls is not noticed.
  const [real, there, here] = await Promise.all([realpath(full, 'buffer'), lstat(full), handle.stat()])
  return full.equals(real) && there.dev === here.dev && there.ino === here.ino
}

function nameBelow(handle: FileHandle, folder: Buffer, name: Uint8Array): Buffer {
  return join(asksKernel ? `/proc/self/fd/${handle.fd}` : folder, name)
}

function join(folder: string | Uint8Array, name: Uint8Array): Buffer {
  const start = Buffer.from(folder)
  return name.length === 0 ? start : Buffer.concat([start, Buffer.from('/'), name])
}
