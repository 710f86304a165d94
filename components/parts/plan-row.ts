import type { PlanView } from '../../src/a2a/protocol/views.ts'
import { cellWidth, cutToWidth } from '../../src/text/cells.ts'
import { markOfPlan } from '../../stores/marks.ts'
import { type Look, line, markSegment } from '../look.ts'
import { markTones, oneLine, stateWord } from '../words.ts'

/** Where the focus is elsewhere, the selected row is only marked. */
export type Selection = 'none' | 'marked' | 'focused'

/** One plan in the list: mark, name, where it stands. */
export function planRow(
  look: Look,
  plan: PlanView,
  options: { width: number; selection: Selection },
): string {
  const mark = markOfPlan(plan)
  const isQuiet = mark === 'done' || mark === 'superseded' || mark === 'paused' || mark === 'toCome'
  const state = `${stateWord(plan)} `
  const aroundName = 4 + cellWidth(state)
  return line(look, {
    left: [
      { text: options.selection === 'none' ? ' ' : look.glyphs.selected, tone: 'accent' },
      markSegment(look, mark),
      { text: ` ${nameWithin(plan.name, options.width - aroundName, look.glyphs.ellipsis)}`, tone: 'text' },
    ],
    right: [{ text: state, tone: isQuiet ? 'muted' : markTones[mark] }],
    width: options.width,
    surface: options.selection === 'focused' ? 'selection' : undefined,
  })
}

/** What tells plans of one action apart is the number at the end; the namespace of one's own plans tells nothing. */
function nameWithin(planName: string, width: number, ellipsis: string): string {
  const name = oneLine(planName).replace(/^local\//, '')
  const number = /-\d+$/.exec(name)?.[0] ?? ''
  if (cellWidth(name) <= width || number === '' || number.length + 2 > width) return name
  return cutToWidth(name.slice(0, -number.length), width - number.length, ellipsis) + number
}
