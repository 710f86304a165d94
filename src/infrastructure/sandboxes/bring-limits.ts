import { readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { inWords } from './copy/space.ts'
import { lstatIfThere } from './writes/lstat-if-there.ts'
import { under } from './writes/parents.ts'

/** What one path may hold to be brought along. */
export interface BringLimits {
  readonly bytes: number
  readonly files: number
}

export interface BringAccess {
  /** Asked when a sandbox is made. */
  readonly bringLimits: () => BringLimits
}

const ENTRIES_BETWEEN_PAUSES = 1_000

/**
 * How a path is above its limits, with the setting to raise; null when it is not. Counting ends at the limit, so that
 * the look at a huge folder never takes as long as its copy would.
 */
export async function excessOf(
  path: Buffer,
  limits: BringLimits,
  signal: AbortSignal,
): Promise<string | null> {
  const measuresBytes = Number.isFinite(limits.bytes)
  const waiting = [path]
  const seen = new Set<string>()
  let files = 0
  let bytes = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of listEntries(folder)) {
      const inner = under(folder, entry.name)
      if (entry.isDirectory()) waiting.push(inner)
      else if (measuresBytes) bytes += bytesOf(inner, seen)
      if (++files > limits.files) return tooMany(limits.files)
      if (bytes > limits.bytes) return tooBig(limits.bytes)
      if (files % ENTRIES_BETWEEN_PAUSES === 0) {
        signal.throwIfAborted()
        await setImmediate()
      }
    }
  }
  return null
}

function tooMany(files: number): string {
  return `it holds more than ${files} files. The setting sandbox.bring-along-max-files is the limit.`
}

function tooBig(bytes: number): string {
  return `it is larger than ${inWords(bytes)}. The setting sandbox.bring-along-max-mb is the limit.`
}

/** None of what is no folder, or cannot be listed: the copy says what is wrong with it. */
function listEntries(folder: Buffer) {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })
  } catch {
    return []
  }
}

/** Names of one file are copied as names of one file. */
function bytesOf(file: Buffer, seen: Set<string>): number {
  const stat = lstatIfThere(file)
  if (!stat) return 0
  const identity = `${stat.dev}:${stat.ino}`
  if (stat.nlink > 1 && seen.has(identity)) return 0
  if (stat.nlink > 1) seen.add(identity)
  return stat.size
}
