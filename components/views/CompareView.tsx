import { type Comparable, comparable } from '../../stores/comparable.ts'
import { markOfPlan } from '../../stores/marks.ts'
import type { CompareDialog } from '../dialogs.ts'
import { pageInside } from '../layout.ts'
import { type Look, line, linesFrom, markSegment, wrapped } from '../look.ts'
import { firstRow } from '../scroll.ts'
import { oneLine, stateWord } from '../words.ts'
import { TextPage } from './page.tsx'
import type { ViewProps } from './view.ts'

/** What the plan's result can be laid beside. */
export function CompareView({ situation, look, dialog }: ViewProps & { dialog: CompareDialog }) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const plan = situation.model.plans.byId.get(dialog.planId)
  const choices = plan ? comparable(situation.model, plan) : []
  const head = wrapped('The result as it is now, beside:', width - 2, 'heading', 1)
  const room = height - head.length - 1
  const top = firstRow({
    row: dialog.cursor,
    offset: Math.floor(room / 2),
    height: room,
    count: choices.length,
  })
  const lines = [
    ...linesFrom(look, [...head, []], { top: 0, width, height: head.length + 1 }),
    ...choices
      .slice(top, top + room)
      .map((choice, at) => choiceLine(look, choice, { width, isSelected: top + at === dialog.cursor })),
  ]
  return <TextPage look={look} size={size} title={`Compare ${oneLine(plan?.name ?? '')}`} lines={lines} />
}

function choiceLine(look: Look, choice: Comparable, of: { width: number; isSelected: boolean }): string {
  const isPlan = choice.kind === 'plan'
  return line(look, {
    left: [
      { text: of.isSelected ? look.glyphs.selected : ' ', tone: 'accent' },
      markSegment(look, isPlan ? markOfPlan(choice.plan) : 'correction'),
      { text: ' ' },
      ...(isPlan
        ? [{ text: `plan ${oneLine(choice.plan.name)}`, tone: 'text' as const }]
        : [
            { text: `before the correction of #${choice.target.number}`, tone: 'text' as const },
            { text: `  ${oneLine(choice.target.question)}  ${oneLine(choice.said)}`, tone: 'muted' as const },
          ]),
    ],
    right: isPlan ? [{ text: `${stateWord(choice.plan)} `, tone: 'muted' }] : [],
    width: of.width,
    surface: of.isSelected ? 'selection' : undefined,
  })
}
