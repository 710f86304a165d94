import type { DiffView } from '../../../src/a2a/protocol/views/changes.ts'
import { wrapToWidth } from '../../../src/text/cells.ts'
import type { DiffDialog } from '../../dialogs.ts'
import type { DiffLine, SideRow } from '../../diff-model.ts'
import { type Look, line } from '../../look.ts'
import { gutter, lineTones, maxLineLength, skipCells } from './diff-text.ts'

/** What each side shows. */
export interface SideTitles {
  readonly old: string
  readonly fresh: string
}

export function sideTitles(diff: DiffView): SideTitles {
  return { old: diff.old.title, fresh: diff.new.title }
}

export function sideTitleLine(look: Look, { old, fresh }: SideTitles, width: number): string {
  const { left, right } = columns(width)
  return (
    line(look, { left: [{ text: ` ${old}`, tone: 'removed' }], width: left }) +
    border(look) +
    line(look, { left: [{ text: ` ${fresh}`, tone: 'added' }], width: right })
  )
}

interface SideBox {
  readonly width: number
  readonly dialog: Pick<DiffDialog, 'wrap' | 'left'>
  /** What stands over both sides, the head of a hunk. */
  readonly over: (each: DiffLine, row: number) => string[]
}

export function sideLines(look: Look, rows: readonly SideRow[], { width, dialog, over }: SideBox): string[] {
  const { left, right } = columns(width)
  return rows.flatMap((row, at) => {
    if (row.kind === 'over') return over(row.line, at)
    const before = cells(look, row.old, dialog, left)
    const after = cells(look, row.fresh, dialog, right)
    const empty = (room: number) => line(look, { left: [], width: room })
    return Array.from(
      { length: Math.max(before.length, after.length) },
      (_, piece) => (before[piece] ?? empty(left)) + border(look) + (after[piece] ?? empty(right)),
    )
  })
}

function cells(
  look: Look,
  each: DiffLine | null,
  { wrap, left }: Pick<DiffDialog, 'wrap' | 'left'>,
  width: number,
): string[] {
  if (!each) return []
  const body = `${each.kind === 'context' ? ' ' : each.text.slice(0, 1)}${each.text.slice(1, maxLineLength + left)}`
  const room = Math.max(1, width - gutter)
  const pieces = wrap === 'wrap' ? wrapToWidth(body, room) : [left === 0 ? body : skipCells(body, left)]
  return pieces.map((text, at) =>
    line(look, {
      left: [
        { text: `${at === 0 ? (each.number ?? '') : ''}`.padStart(gutter - 1).concat(' '), tone: 'muted' },
        { text, tone: lineTones[each.kind] },
      ],
      width,
      surface: surfaceOf(each),
    }),
  )
}

function surfaceOf({ kind }: DiffLine): 'addedSurface' | 'removedSurface' | undefined {
  if (kind === 'added') return 'addedSurface'
  return kind === 'removed' ? 'removedSurface' : undefined
}

function columns(width: number): { left: number; right: number } {
  const left = Math.floor((width - 1) / 2)
  return { left, right: width - 1 - left }
}

function border(look: Look): string {
  return line(look, { left: [{ text: look.glyphs.box.vertical, tone: 'border' }], width: 1 })
}
