import { readFileSync, readSync } from 'node:fs'
import { type Result, refuse } from '../../domain/failure.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import { openFileInside } from './open-inside.ts'

/** A file as characters without losing a byte: true text where it is UTF-8, else one character a byte. */
export interface FileText {
  readonly encoding: 'utf-8' | 'bytes'
  readonly text: string
}

const maxTextBytes = 32 * 1024 * 1024

/** Reads a file whose path holds no links. Binary content is refused before it is read whole. */
export function readText(root: string, path: RelPath): Result<FileText> {
  const opened = openFileInside(root, path)
  if (!opened.ok) return opened
  using file = opened.value
  const { size } = file.status
  const head = Buffer.alloc(Math.min(size, sniffedBytes))
  readSync(file.fd, head, 0, head.length, 0)
  if (head.includes(0)) return refuse('invalid_input', `The file ${path} is binary.`, { path, binary: true })
  if (size > maxTextBytes)
    return refuse('invalid_input', `The file ${path} is too large for this tool: ${size} bytes.`, {
      path,
      size,
    })
  return { ok: true, value: toFileText(size <= sniffedBytes ? head : readFileSync(file.fd)) }
}

/** How far git looks, too, before it calls a file binary. */
const sniffedBytes = 8192

function toFileText(bytes: Uint8Array): FileText {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { encoding: 'utf-8', text }
  } catch {
    return { encoding: 'bytes', text: Buffer.from(bytes).toString('latin1') }
  }
}

export function bytesOfFileText(file: FileText): Buffer {
  return Buffer.from(file.text, file.encoding === 'utf-8' ? 'utf8' : 'latin1')
}

/** Whether the same words mean the same bytes in both encodings. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text, 'utf8') === text.length
}
