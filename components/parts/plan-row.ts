import { cellWidth, cutToWidth } from '../../src/text/cells.ts'
import { markOfPlan } from '../../stores/marks.ts'
import type { ListedPlan } from '../../stores/selectors.ts'
import { type Look, line, markSegment } from '../look.ts'
import { markTones, nameBelow, oneLine, stateWord } from '../words.ts'

/** Where the focus is elsewhere, the selected row is only marked. */
export type Selection = 'none' | 'marked' | 'focused'

/** One plan in the list: mark, name, where it stands. */
export function planRow(
  look: Look,
  { plan, depth, fold, childCount }: ListedPlan,
  options: { width: number; selection: Selection; waiting: ReadonlySet<string> },
): string {
  const mark = options.waiting.has(plan.plan_id) ? 'waits' : markOfPlan(plan)
  const isQuiet = mark === 'done' || mark === 'superseded' || mark === 'paused' || mark === 'toCome'
  const folded = fold === 'folded' ? `${look.glyphs.child}${childCount} ` : ''
  const state = `${stateWord(plan)} `
  const indent = '  '.repeat(Math.min(depth, 4))
  const aroundName = 4 + indent.length + cellWidth(folded) + cellWidth(state)
  const name = depth === 0 ? plan.name : nameBelow(plan.name)
  return line(look, {
    left: [
      { text: options.selection === 'none' ? ' ' : look.glyphs.selected, tone: 'accent' },
      { text: indent },
      markSegment(look, mark),
      { text: ` ${nameWithin(name, options.width - aroundName, look.glyphs.ellipsis)}`, tone: 'text' },
    ],
    right: [
      { text: folded, tone: 'child' },
      { text: state, tone: isQuiet ? 'muted' : markTones[mark] },
    ],
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
