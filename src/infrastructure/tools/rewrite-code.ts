import { type Result, refuse } from '../../domain/failure.ts'
import { lineEndAt, withLineEnd } from '../files/line-ends.ts'
import type { CodeMatch, CodePattern } from './code-pattern.ts'

/**
 * Replaces every match by the rewrite with its holes filled from the match. A match inside of a filled hole is
 * rewritten too; one inside of a part that the rewrite drops goes with it.
 */
export function rewriteCode(code: CodePattern, rewrite: string, path: Uint8Array, text: string) {
  const end = lineEndAt(text, 0)
  return rewriteRange(
    { text, rewrite: withLineEnd(rewrite, end), matches: code.find(path, text) },
    { index: 0, length: text.length },
  )
}

interface Job {
  readonly text: string
  readonly rewrite: string
  readonly matches: readonly CodeMatch[]
}

function rewriteRange(
  job: Job,
  range: { readonly index: number; readonly length: number },
): { text: string; count: number } {
  const end = range.index + range.length
  const pieces: string[] = []
  let count = 0
  let done = range.index
  for (const match of job.matches) {
    if (match.index < done || match.index + match.length > end) continue
    const filled = fillHoles(job, match)
    pieces.push(job.text.slice(done, match.index), filled.text)
    count += 1 + filled.count
    done = match.index + match.length
  }
  return { text: pieces.join('') + job.text.slice(done, end), count }
}

function fillHoles(job: Job, match: CodeMatch): { text: string; count: number } {
  let count = 0
  const inner = { ...job, matches: job.matches.filter(other => liesWithin(other, match)) }
  const text = job.rewrite.replace(holes, (_, many?: string, one?: string) => {
    const hole = match.hole(many ?? one ?? '', many !== undefined)
    if (!hole) return ''
    const filled = rewriteRange(inner, hole)
    count += filled.count
    return filled.text
  })
  return { text, count }
}

/** Strictly smaller, so that a hole that is its whole match does not rewrite itself for ever. */
function liesWithin(inner: CodeMatch, outer: CodeMatch): boolean {
  return (
    inner.length < outer.length &&
    inner.index >= outer.index &&
    inner.index + inner.length <= outer.index + outer.length
  )
}

const holes = /\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)/g

/** A hole that only the rewrite has would silently delete code. */
export function checkHoles(pattern: string, rewrite: string): Result<void> {
  const known = new Set(pattern.match(holes))
  const unknown = (rewrite.match(holes) ?? []).filter(hole => !known.has(hole) || /^\$+_/.test(hole))
  if (unknown.length === 0) return { ok: true, value: undefined }
  const sentence = `The rewrite uses ${[...new Set(unknown)].join(', ')}, which the pattern does not capture.`
  return refuse('invalid_input', sentence, { field: 'rewrite', unknown })
}
