import * as z from 'zod'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Match } from '../files/find-text.ts'
import { lineAround, lineNumbers } from '../files/line-ends.ts'
import type { SelectedText } from './select-files.ts'

export const searchOutput = z.strictObject({
  paths: z.array(z.string()).readonly(),
  /** The first lines found, one row a line; `count` says how many matches there are in all. */
  matches: z.array(z.strictObject({ path: z.string(), line: z.number(), text: z.string() })).readonly(),
  count: z.number(),
  truncated: z.boolean(),
})

const maxRows = 1000
const maxLineLength = 300

/** Gathers search hits: every path, every match counted, and the first thousand lines to show. */
export function collectLines() {
  const paths: RelPath[] = []
  const matches: { path: RelPath; line: number; text: string }[] = []
  let count = 0
  let truncated = false
  return {
    add: ({ path, file }: SelectedText, found: readonly Match[]) => {
      if (found.length === 0) return
      paths.push(path)
      count += found.length
      const rows = rowsOf(file.text, found)
      truncated ||= rows.length > maxRows - matches.length
      matches.push(...rows.slice(0, maxRows - matches.length).map(row => ({ path, ...row })))
    },
    outcome: () => ({
      output: { paths, matches, count, truncated },
      summary: `${count} matches in ${paths.length} files`,
      read: paths,
      written: [],
    }),
  }
}

function rowsOf(text: string, found: readonly Match[]) {
  const numbers = lineNumbers(
    text,
    found.map(match => match.index),
  )
  const rows = found.map((match, i) => ({ line: numbers[i] ?? 0, index: match.index }))
  const firsts = rows.filter((row, i) => row.line !== rows[i - 1]?.line).slice(0, maxRows + 1)
  return firsts.map(row => ({ line: row.line, text: cut(text, row.index) }))
}

function cut(text: string, index: number): string {
  const line = lineAround(text, index)
  if (line.length <= maxLineLength) return line
  const column = index - (text.lastIndexOf('\n', index - 1) + 1)
  const from = Math.max(0, Math.min(column - 40, line.length - maxLineLength))
  const piece = line.slice(from, from + maxLineLength).toWellFormed()
  return `${from > 0 ? '…' : ''}${piece}${from + maxLineLength < line.length ? '…' : ''}`
}
