import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { type Result, refuse } from '../../domain/failure.ts'
import { bytesOfRelPath, type RelPath } from '../../domain/sandbox/rel-path.ts'
import { kindOf, type OpenFolder, openFolderInside } from './open-inside.ts'

/**
 * Writes a file whole: beside its place first, then renamed over it, so that a reader sees the old or the new bytes.
 * Permission bits stay; missing parent folders are made; a link is never written through.
 */
export async function writeFileInside(root: string, path: RelPath, bytes: Uint8Array): Promise<Result<void>> {
  const { parent, name } = splitPath(path)
  const opened = await openParent(root, parent)
  if (!opened.ok) return opened
  using folder = opened.value
  const old = await statusOf(folder.at(name))
  if (old && !old.isFile())
    return refuse('invalid_input', `The path ${path} is ${kindOf(old)}; only a file can be written.`, {
      path,
    })
  await replaceFile(folder, name, bytes, old)
  return { ok: true, value: undefined }
}

/** The folder part (null for the root) and the last name, as bytes. */
export function splitPath(path: RelPath): { parent: Uint8Array | null; name: Uint8Array } {
  const bytes = bytesOfRelPath(path)
  const slash = bytes.lastIndexOf(0x2f)
  return slash < 0
    ? { parent: null, name: bytes }
    : { parent: bytes.subarray(0, slash), name: bytes.subarray(slash + 1) }
}

/** Opens a folder and makes what is missing on the way, one verified step after the other. */
export async function openParent(root: string, folder: Uint8Array | null): Promise<Result<OpenFolder>> {
  let opened = openFolderInside(root, null)
  if (folder === null) return opened
  for (let end = 0; end < folder.length && opened.ok; ) {
    const slash = folder.indexOf(0x2f, end + 1)
    const next = slash < 0 ? folder.length : slash
    using above = opened.value
    await makeFolder(above, folder.subarray(end === 0 ? 0 : end + 1, next))
    opened = openFolderInside(root, folder.subarray(0, next))
    end = next
  }
  return opened
}

async function makeFolder(above: OpenFolder, name: Uint8Array): Promise<void> {
  const folder = above.at(name)
  if (await statusOf(folder)) return
  await mkdir(folder)
  await using made = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  await keepOwner(made, above.status)
}

async function replaceFile(
  folder: OpenFolder,
  name: Uint8Array,
  bytes: Uint8Array,
  old: Stats | null,
): Promise<void> {
  const unfinished = folder.at(unfinishedNameOf(name))
  // A leftover of a killed run has the same name; it is ours to remove.
  await rm(unfinished, { force: true })
  try {
    await writeNew(unfinished, bytes, old ?? folder.status, old)
    await rename(unfinished, folder.at(name))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Named after its target, so that the next write of the same file sweeps what a kill left behind. */
export function unfinishedNameOf(name: Uint8Array): Buffer {
  return Buffer.from(`${unfinishedPrefix}${createHash('sha256').update(name).digest('hex').slice(0, 16)}`)
}

/** Files that begin with this are half-written copies and never part of anyone's work. */
const unfinishedPrefix = '.agents-unfinished-'

async function writeNew(path: Buffer, bytes: Uint8Array, owner: Stats, old: Stats | null): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  await using handle = await open(path, flags, 0o666)
  await handle.writeFile(bytes)
  await keepOwner(handle, owner)
  if (old) await handle.chmod(old.mode & 0o777)
}

/** Started by root, what we make belongs to whom the place belongs; commands run as that user. */
async function keepOwner(handle: FileHandle, owner: Stats): Promise<void> {
  if (process.getuid?.() === 0) await handle.chown(owner.uid, owner.gid)
}

export async function statusOf(path: Buffer): Promise<Stats | null> {
  return lstat(path).catch(error => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
