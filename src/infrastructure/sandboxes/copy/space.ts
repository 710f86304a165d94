import { statfs } from 'node:fs/promises'
import { ok, type Result, refuse } from '../../../domain/failure.ts'

/** Room for the copy itself, for a compressed second copy of text in the store, and a little to work in. */
const FACTOR = 1.1

/** Refuses before the first byte is written when the disk cannot hold a copy of this size. */
export async function checkSpace(folder: string, bytes: bigint): Promise<Result<void>> {
  const { bavail, bsize } = await statfs(folder, { bigint: true })
  const free = bavail * bsize
  const needed = BigInt(Math.ceil(Number(bytes) * FACTOR))
  if (free >= needed) return ok()
  return refuse(
    'disk_full',
    `A copy of the project needs ${inWords(needed)}, and ${folder} has ${inWords(free)} free. Free some space, or choose another data folder with --data-dir.`,
    { needed: Number(needed), free: Number(free) },
  )
}

export function inWords(bytes: bigint | number): string {
  const [units, last] = [['bytes', 'KB', 'MB', 'GB'], 'TB']
  let size = Number(bytes)
  for (const unit of units) {
    if (size < 1000) return `${size < 10 && unit !== 'bytes' ? size.toFixed(1) : Math.round(size)} ${unit}`
    size /= 1000
  }
  return `${size.toFixed(1)} ${last}`
}
