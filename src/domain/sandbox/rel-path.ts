import { type Result, refuse } from '../failure.ts'

/**
 * A path inside a project or sandbox. Names on disk are bytes; this is their reversible text form:
 * plain where the bytes are printable UTF-8, otherwise C-quoted like git does it ("a\tb", "\377").
 * `/` separates; never absolute, never with `.` or `..` parts, never empty.
 */
declare const relPath: unique symbol
export type RelPath = string & { readonly [relPath]: true }

/** Parses what a person, a recipe or the wire wrote: plain text or the C-quoted form. */
export function parseRelPath(text: string): Result<RelPath> {
  // A lone surrogate has no bytes; encoding it would silently name another file.
  if (!text.isWellFormed())
    return refuse('invalid_input', 'The path is not well-formed Unicode.', { path: text })
  const bytes = text.startsWith('"') ? unquote(text) : new TextEncoder().encode(text)
  if (bytes === null)
    return refuse('invalid_input', `The path ${text} is not correctly quoted.`, { path: text })
  return relPathFromBytes(bytes)
}

/** The text form of a name read from disk or from git's `-z` output. */
export function relPathFromBytes(bytes: Uint8Array): Result<RelPath> {
  const text = quoteIfNeeded(bytes)
  const reason = refusalFor(bytes)
  if (reason) return refuse('invalid_input', `The path ${text} ${reason}.`, { path: text })
  return { ok: true, value: text as RelPath }
}

export function bytesOfRelPath(path: RelPath): Uint8Array {
  const bytes = path.startsWith('"') ? unquote(path) : new TextEncoder().encode(path)
  if (bytes === null) throw new Error(`not a RelPath: ${path}`)
  return bytes
}

/**
 * Whether a path is the other or lies below it. By bytes: the quoted form of a path does not begin with that of its
 * folder.
 */
export function covers(whole: RelPath, path: RelPath): boolean {
  const [folder, name] = [bytesText(whole), bytesText(path)]
  return name === folder || name.startsWith(`${folder}/`)
}

/** One character for each byte, for comparing and for keys. */
export function bytesText(path: RelPath): string {
  return Buffer.from(bytesOfRelPath(path)).toString('latin1')
}

function refusalFor(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return 'is empty'
  if (bytes.includes(0)) return 'contains a NUL byte'
  const parts = Buffer.from(bytes).toString('latin1').split('/')
  if (parts[0] === '') return 'is absolute; paths are relative to the project root'
  if (parts.includes('..')) return 'leaves the project'
  if (parts.includes('') || parts.includes('.')) return 'is not in its normal form'
  if (parts.some(part => part.toLowerCase() === '.git')) return 'is inside .git, which tools never touch'
  return null
}

const NAMED: Record<number, string> = {
  7: 'a',
  8: 'b',
  9: 't',
  10: 'n',
  11: 'v',
  12: 'f',
  13: 'r',
  34: '"',
  92: '\\',
}

function quoteIfNeeded(bytes: Uint8Array): string {
  const text = decodeStrict(bytes)
  if (text !== null && isPrintable(text)) return text
  let quoted = '"'
  for (const byte of bytes) {
    const name = NAMED[byte]
    if (name !== undefined) quoted += `\\${name}`
    else if (byte < 32 || byte >= 127) quoted += `\\${byte.toString(8).padStart(3, '0')}`
    else quoted += String.fromCharCode(byte)
  }
  return `${quoted}"`
}

function isPrintable(text: string): boolean {
  // A leading quote must be quoted so that the two forms never collide; controls and bidi marks must be visible.
  return !text.startsWith('"') && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u.test(text)
}

function decodeStrict(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function unquote(text: string): Uint8Array | null {
  if (text.length < 2 || !text.endsWith('"')) return null
  const bytes: number[] = []
  for (const piece of text.slice(1, -1).match(QUOTED_PIECES) ?? []) {
    const value = bytesOfPiece(piece)
    if (value === null) return null
    bytes.push(...value)
  }
  return Uint8Array.from(bytes)
}

/** An octal byte, a named byte, or one character; a backslash that begins neither stands alone. */
const QUOTED_PIECES = /\\[0-3][0-7]{2}|\\[^0-7]|./gsu

function bytesOfPiece(piece: string): Iterable<number> | null {
  if (piece === '"' || piece === '\\') return null
  if (!piece.startsWith('\\')) return new TextEncoder().encode(piece)
  if (piece.length === 4) return [Number.parseInt(piece.slice(1), 8)]
  const named = Object.entries(NAMED).find(([, name]) => name === piece[1])
  return named ? [Number(named[0])] : null
}
