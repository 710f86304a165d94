import { ok, type Result } from '../../../domain/failure.ts'
import { splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import { readIndex } from './read-index.ts'

export interface IndexEntry {
  readonly path: Buffer
  readonly mode: string
  readonly isAssumedUnchanged: boolean
  /** Left out of the working folder by a sparse checkout, or told to be overlooked. */
  readonly isSkipped: boolean
}

export async function listIndex(
  store: PrivateStore,
  index: string,
  signal?: AbortSignal,
): Promise<Result<readonly IndexEntry[]>> {
  const read = readIndex(index)
  if (read !== null) return ok(read.entries)
  const listed = await store.run({ index, args: ['ls-files', '--stage', '-v', '-z'] }, signal)
  return listed.ok ? ok(splitNul(listed.value).map(parseEntry)) : listed
}

// "<tag> <mode> <object> <stage>\t<path>"
function parseEntry(line: Buffer): IndexEntry {
  const tab = line.indexOf(0x09)
  const [tag = '', mode = ''] = line.subarray(0, tab).toString('latin1').split(' ')
  return {
    path: line.subarray(tab + 1),
    mode,
    isAssumedUnchanged: tag !== tag.toUpperCase(),
    isSkipped: tag.toUpperCase() === 'S',
  }
}
