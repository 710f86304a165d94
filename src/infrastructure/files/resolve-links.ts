import { closeSync, constants, openSync, readlinkSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { type Result, refuse } from '../../domain/failure.ts'
import { bytesOfRelPath, type RelPath, relPathFromBytes } from '../../domain/sandbox/rel-path.ts'

/** The place a path means when its links are followed, refused when that is outside of the root. For reading only. */
export async function resolveLinks(root: string, path: RelPath): Promise<Result<RelPath>> {
  const start = Buffer.concat([await realPlace(Buffer.from(root)), SLASH])
  const real = await realPlace(Buffer.concat([Buffer.from(root), SLASH, bytesOfRelPath(path)]))
  if (real.subarray(0, start.length).equals(start)) return relPathFromBytes(real.subarray(start.length))
  return refuse('invalid_input', `The path ${path} leads out of the sandbox through a link.`, { path })
}

/** Asks the kernel where it can be asked: a way through /proc into another process's mounts is lost on anything else. */
async function realPlace(path: Buffer): Promise<Buffer> {
  if (process.platform !== 'linux') return realpath(path, 'buffer')
  const fd = openSync(path, O_PATH)
  try {
    return readlinkSync(`/proc/self/fd/${fd}`, 'buffer')
  } finally {
    closeSync(fd)
  }
}

/** Finds a place without opening what is there: a pipe would wait for its other end. Node has no name for it. */
const O_PATH = 0o10000000 | constants.O_RDONLY

const SLASH = Buffer.from('/')
