import type { Theme } from '../../themes/compile.ts'
import { type KeyRow, keyLabel } from '../keymap-row.ts'
import { formatLine, type Segment, segmentsWidth } from './format-line.ts'
import { Row } from './Row.tsx'

type Hints<Context> = {
  rows: readonly KeyRow<string, Context>[]
  context: Context
  theme: Theme
  width: number
  charset?: 'unicode' | 'ascii'
}

/** What the keys do here, as many as fit. What cannot be done now is shown weaker. */
export function KeyHints<Context>(hints: Hints<Context>) {
  return <Row line={hintLine(hints)} />
}

export function hintLine<Context>({
  rows,
  context,
  theme,
  width,
  charset = 'unicode',
}: Hints<Context>): string {
  const shown = rows.filter(row => row.when?.(context) ?? true)
  const left: Segment[] = []
  for (const row of shown) {
    const hint = hintOf(row, context, charset, left.length === 0 ? ' ' : '  ')
    if (segmentsWidth(left) + segmentsWidth(hint) > width) continue
    left.push(...hint)
  }
  return formatLine(theme, { left, width })
}

function hintOf<Context>(
  row: KeyRow<string, Context>,
  context: Context,
  charset: 'unicode' | 'ascii',
  gap: string,
): Segment[] {
  const named = row.hintKeys ?? row.keys.slice(0, 1)
  const keys = named.map(key => keyLabel(key, charset)).join('')
  const canBeDone = row.whyNot?.(context) === undefined
  return [
    { text: gap },
    { text: keys, tone: canBeDone ? 'key' : 'muted' },
    { text: ` ${row.label}`, tone: canBeDone ? 'text' : 'muted' },
  ]
}
