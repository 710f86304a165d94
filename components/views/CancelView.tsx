import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import type { Model } from '../../stores/model.ts'
import { descendantsOf, hasEnded, isHandedOver } from '../../stores/plans.ts'
import { line, linesFrom, wrapped } from '../look.ts'
import { countWord } from '../words.ts'
import { overlayBox, TextOverlay } from './overlay.tsx'
import type { ViewProps } from './view.ts'

/** Cancelling ends a plan for good, so its key is pressed twice. */
export function CancelView({ situation, look, planId }: ViewProps & { planId: string }) {
  const plan = situation.model.plans.byId.get(planId)
  const sentences = [
    `${plan?.name ?? 'The plan'} ends here. The running step is stopped, nothing is applied, and it cannot be resumed.`,
    ...(plan ? familySentences(situation.model, plan) : []),
  ]
  const inside = Math.min(64, situation.ui.size.columns - 4) - 2
  const text = sentences.flatMap(sentence => [...wrapped(sentence, inside - 2, 'text', 1), []])
  const box = overlayBox(situation.ui.size, { width: 64, height: text.length + 5 })
  const width = box.width - 2
  const keys = line(look, {
    left: [
      { text: ' X', tone: 'key' },
      { text: ' cancel the plan   ', tone: 'text' },
      { text: 'esc', tone: 'key' },
      { text: ' keep it', tone: 'text' },
    ],
    width,
  })
  const height = box.height - 2
  const lines = linesFrom(look, [[], ...text, ...Array.from({ length: height }, () => [])], {
    top: 0,
    width,
    height: height - 2,
  })
  return (
    <TextOverlay
      look={look}
      box={box}
      title="Cancel the plan?"
      lines={[...lines, keys, line(look, { left: [], width })]}
    />
  )
}

/** What becomes of the plans below it, and of the one above. */
function familySentences(model: Model, plan: PlanView): string[] {
  const below = descendantsOf(model.plans, plan.plan_id)
  const going = below.filter(child => !hasEnded(child) && !isHandedOver(child)).length
  const done = below.filter(isHandedOver).length
  const above = model.plans.byId.get(plan.parent_plan_id ?? '')
  return [
    ...(going > 0
      ? [`${countWord(going, 'child plan is', 'child plans are')} stopped and cancelled with it.`]
      : []),
    ...(done > 0 ? [`The result of its finished child ${done === 1 ? 'plan' : 'plans'} goes with it.`] : []),
    ...(above && plan.applies_to === 'parent' ? [`${above.name} goes on without it.`] : []),
  ]
}
