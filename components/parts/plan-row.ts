import type { PlanView } from '../../src/a2a/protocol/views.ts'
import { markOfPlan } from '../../stores/selectors.ts'
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
  return line(look, {
    left: [
      { text: options.selection === 'none' ? ' ' : look.glyphs.selected, tone: 'accent' },
      markSegment(look, mark),
      // The namespace of one's own plans tells nothing, and takes the cells that tell them apart.
      { text: ` ${oneLine(plan.name).replace(/^local\//, '')}`, tone: 'text' },
    ],
    right: [{ text: `${stateWord(plan)} `, tone: isQuiet ? 'muted' : markTones[mark] }],
    width: options.width,
    surface: options.selection === 'focused' ? 'selection' : undefined,
  })
}
