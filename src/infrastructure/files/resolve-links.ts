import { realpath } from 'node:fs/promises'
import { type Result, refuse } from '../../domain/failure.ts'
import { bytesOfRelPath, type RelPath, relPathFromBytes } from '../../domain/sandbox/rel-path.ts'

/** The place a path means when its links are followed, refused when that is outside of the root. For reading only. */
export async function resolveLinks(root: string, path: RelPath): Promise<Result<RelPath>> {
  const start = Buffer.from(`${await realpath(root)}/`)
  const real = await realpath(Buffer.concat([start, bytesOfRelPath(path)]), 'buffer')
  if (real.subarray(0, start.length).equals(start)) return relPathFromBytes(real.subarray(start.length))
  return refuse('invalid_input', `The path ${path} leads out of the sandbox through a link.`, { path })
}
