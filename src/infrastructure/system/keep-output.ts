import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Where the whole output of a command is, and why it may not be whole. */
export interface KeptOutput {
  /** Null when nothing was printed. */
  readonly path: string | null
  readonly cut: 'no' | 'too_long' | 'cannot_write'
}

export interface OutputKeeper {
  add(chunk: Buffer): void
  close(): KeptOutput
}

/** Writes at once, so that no unwritten output piles up in memory. Never throws: it is called while reading a pipe. */
export function keepOutput(path: string, maxBytes: number): OutputKeeper {
  let file: number | null = null
  let bytes = 0
  let cut: KeptOutput['cut'] = 'no'
  const write = (chunk: Buffer) => {
    try {
      file ??= create(path)
      writeSync(file, chunk)
    } catch {
      cut = 'cannot_write'
    }
  }
  return {
    add: chunk => {
      if (cut !== 'no') return
      const kept = chunk.subarray(0, maxBytes - bytes)
      bytes += kept.length
      if (kept.length > 0) write(kept)
      if (kept.length === chunk.length || cut !== 'no') return
      write(Buffer.from(`\n[cut here: more than ${maxBytes} bytes of output]\n`))
      cut = cut === 'no' ? 'too_long' : cut
    },
    close: () => {
      if (file !== null) closeSync(file)
      return { path: file === null ? null : path, cut }
    },
  }
}

function create(path: string): number {
  mkdirSync(dirname(path), { recursive: true })
  return openSync(path, 'w', 0o600)
}
