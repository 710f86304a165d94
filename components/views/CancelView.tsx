import { line, linesFrom, wrapped } from '../look.ts'
import { overlayBox, TextOverlay } from './overlay.tsx'
import type { ViewProps } from './view.ts'

/** Cancelling ends a plan for good, so its key is pressed twice. */
export function CancelView({ situation, look, planId }: ViewProps & { planId: string }) {
  const plan = situation.model.plans.byId.get(planId)
  const box = overlayBox(situation.ui.size, { width: 64, height: 9 })
  const width = box.width - 2
  const text = wrapped(
    `${plan?.name ?? 'The plan'} ends here. The running step is stopped, nothing is applied, and it cannot be resumed.`,
    width - 2,
    'text',
    1,
  )
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
