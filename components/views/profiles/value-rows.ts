import { cellWidth, fitToWidth } from '../../../src/text/cells.ts'
import type { Fetched } from '../../../stores/shelf.ts'
import { wrapped } from '../../look.ts'
import type { Segment } from '../../parts/format-line.ts'
import { fieldWord, valueWord } from './profile-words.ts'

type Rows = Segment[][]

export function fieldRows(
  { field, value, source = '' }: { field: string; value: unknown; source?: string },
  width: number,
): Rows {
  return valueRows(fieldWord(field), valueWord(field, value), source, width)
}

const valueWidth = 16

/** Name, value and where it comes from in three columns; a value that is longer has rows of its own. */
export function valueRows(name: string, value: string, source: string, width: number): Rows {
  const nameWidth = Math.max(28, Math.min(50, width - valueWidth - 20))
  const isLong = cellWidth(value) >= valueWidth
  return [
    [
      { text: `   ${fitToWidth(name, nameWidth - 4)} `, tone: 'text' },
      { text: isLong ? ' '.repeat(valueWidth) : fitToWidth(value, valueWidth), tone: 'waiting' },
      { text: source, tone: 'muted' },
    ],
    ...(isLong ? wrapped(value, width - 2, 'waiting', 5) : []),
  ]
}

/** What is not there yet, or why it is not. */
export function absent(fetched: Fetched<unknown> | undefined, loading: string, width: number): Rows {
  return fetched?.kind === 'failed'
    ? [[], ...wrapped(fetched.message, width - 2, 'danger', 1)]
    : [[], ...wrapped(loading, width - 2, 'muted', 1)]
}
