import { read } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { commitIdentity } from '../../git/environment.ts'
import { openEntry } from '../writes/open-entry.ts'
import type { PrivateStore } from './private-store.ts'
import type { EntryMode } from './tree-diff.ts'

export interface FileToImport {
  readonly path: Buffer
  readonly mode: EntryMode
  /** The bytes themselves, or a file of `size` bytes to read; what it lacks of them by then counts as zeros. */
  readonly content: Buffer | { readonly file: Buffer; readonly size: number }
}

/**
 * Takes files into the store in one pack, and returns the name of each content in their order. Several times faster
 * than one object at a time; the folders between them are packed as well.
 */
export async function importFiles<File extends FileToImport>(
  store: PrivateStore,
  files: AsyncIterable<File>,
  signal: AbortSignal,
): Promise<Result<{ file: File; object: string }[]>> {
  const marks = join(store.folder.scratch, 'import-marks')
  const taken: File[] = []
  const args = ['fast-import', '--quiet', '--done', '--depth=0', `--export-marks=${marks}`]
  try {
    const ran = await store.run({ args, stdin: inChunks(streamOf(files, taken)) }, signal)
    if (!ran.ok) return ran
    // A new store keeps its refs as files; what was imported is named by its contents.
    await rm(join(store.folder.store, IMPORT_REF), { force: true })
    return withNames(taken, await readFile(marks, 'latin1'))
  } finally {
    await rm(marks, { force: true })
  }
}

const IMPORT_REF = 'refs/plans/import'

async function* streamOf<File extends FileToImport>(
  files: AsyncIterable<File>,
  taken: File[],
): AsyncGenerator<Uint8Array> {
  for await (const file of files) {
    taken.push(file)
    const { content } = file
    const size = content instanceof Uint8Array ? content.length : content.size
    yield Buffer.from(`blob\nmark :${taken.length}\ndata ${size}\n`)
    if (content instanceof Uint8Array) yield content
    else yield* exactly(content.file, size)
    yield NEWLINE
  }
  yield Buffer.from(`commit ${IMPORT_REF}\ncommitter ${commitIdentity} 0 +0000\ndata 0\n\n`)
  for (const [index, { path, mode }] of taken.entries())
    yield Buffer.concat([Buffer.from(`M ${mode} :${index + 1} `), quoted(path), NEWLINE])
  // Without this last word git takes a stream that broke off for nothing.
  yield Buffer.from('done\n')
}

/** As many bytes as were announced: a file that shrinks or goes meanwhile must not make the rest of the stream nonsense. */
async function* exactly(file: Buffer, size: number): AsyncGenerator<Uint8Array> {
  using entry = openEntry(file)
  let left = size
  while (left > 0 && entry?.kind === 'file') {
    const chunk = Buffer.alloc(Math.min(left, CHUNK_BYTES))
    const { bytesRead } = await readChunk(entry.file, chunk, 0, chunk.length, null)
    if (bytesRead === 0) break
    left -= bytesRead
    yield chunk.subarray(0, bytesRead)
  }
  for (; left > 0; left -= CHUNK_BYTES) yield Buffer.alloc(Math.min(left, CHUNK_BYTES))
}

const readChunk = promisify(read)

/** A write to a pipe costs more than a small file; many go together. */
async function* inChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    bytes += piece.length
    if (bytes < CHUNK_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
  }
  yield Buffer.concat(waiting)
}

const CHUNK_BYTES = 256 * 1024

/** Plain up to the end of the line unless it begins with a quote or holds a line break. */
function quoted(path: Buffer): Buffer {
  if (path[0] !== 0x22 && !path.includes(0x0a)) return path
  const escaped = path
    .toString('latin1')
    .replace(/[\\"]/g, character => `\\${character}`)
    .replaceAll('\n', '\\n')
  return Buffer.from(`"${escaped}"`, 'latin1')
}

// ":<mark> <object>" a line, in no particular order.
function withNames<File>(taken: readonly File[], marks: string): Result<{ file: File; object: string }[]> {
  const objects = new Map(
    marks
      .split('\n')
      .filter(line => line !== '')
      .map(line => line.slice(1).split(' ') as [string, string]),
  )
  const named = taken.map((file, index) => ({ file, object: objects.get(String(index + 1)) ?? '' }))
  if (named.every(({ object }) => object !== '')) return ok(named)
  return refuse('sandbox_failed', 'Not every file of the project arrived in the store of the plan.')
}

const NEWLINE = Buffer.from('\n')
