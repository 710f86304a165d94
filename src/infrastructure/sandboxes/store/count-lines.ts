import { findObject } from './loose-objects.ts'

export interface LineCounts {
  readonly additions: number
  readonly deletions: number
  readonly binary: boolean
}

/** Git takes a content for something other than text when a NUL is this near to its beginning. */
const BINARY_WITHIN = 8000
const MAX_BYTES = 256 * 1024

/**
 * How many lines came and went between two contents, null for none, as git counts them. Null where its answer depends on
 * how it pairs lines that are alike: then only it can say.
 */
export function countLines(gitDir: string, old: string | null, now: string | null): LineCounts | null {
  const [before, after] = [contentOf(gitDir, old), contentOf(gitDir, now)]
  if (before === null || after === null) return null
  if ([before, after].some(isBinary)) return { additions: 0, deletions: 0, binary: true }
  if (old === now) return { additions: 0, deletions: 0, binary: false }
  const [gone, come] = between(linesOf(before), linesOf(after))
  const known = new Set(gone)
  if (come.some(line => known.has(line))) return null
  return { additions: come.length, deletions: gone.length, binary: false }
}

function contentOf(gitDir: string, id: string | null): Buffer | null {
  if (id === null) return Buffer.alloc(0)
  const found = findObject(gitDir, id)
  return found?.type === 'blob' && found.content.length <= MAX_BYTES ? found.content : null
}

function isBinary(content: Buffer): boolean {
  return content.subarray(0, BINARY_WITHIN).includes(0)
}

/** With their ends: a last line without one is another than the same line with one. */
function linesOf(content: Buffer): string[] {
  return content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** What is left of both without the lines that they begin and end with alike. */
function between(before: readonly string[], after: readonly string[]): [string[], string[]] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)]
}
