import { runningPlans } from '../../stores/selectors.ts'
import { keymap } from '../keymap.ts'
import { line, linesFrom, wrapped } from '../look.ts'
import type { Segment } from '../parts/format-line.ts'
import { countWord } from '../words.ts'
import { overlayBox, TextOverlay } from './overlay.tsx'
import type { ViewProps } from './view.ts'

/** Leaving while plans run: nothing goes on behind the person's back, and nothing is lost. */
export function LeaveView({ situation, look }: ViewProps) {
  const box = overlayBox(situation.ui.size, { width: 66, height: 11 })
  const width = box.width - 2
  const height = box.height - 2
  const count = runningPlans(situation.model).length
  const keepRunning = keymap.leave.find(row => row.action === 'keepRunning')
  const whyNot = keepRunning?.whyNot?.(situation)
  const key = (name: string, label: string, tone: Segment['tone'] & string = 'text'): Segment[] => [
    { text: `   ${name.padEnd(4)}`, tone: tone === 'muted' ? 'muted' : 'key' },
    { text: label, tone },
  ]
  const rows: Segment[][] = [
    [],
    ...wrapped(`${countWord(count, 'plan is', 'plans are')} running.`, width - 2, 'text', 1),
    [],
    key('p', 'pause and leave; resume them next time with p'),
    key('esc', 'stay'),
    key('b', 'leave and keep running in the background', whyNot ? 'muted' : 'text'),
    ...(whyNot ? wrapped(whyNot, width - 8, 'muted', 7) : []),
  ]
  const blank = line(look, { left: [], width })
  const lines = linesFrom(look, rows, { top: 0, width, height })
  return (
    <TextOverlay
      look={look}
      box={box}
      title="Leave?"
      lines={Array.from({ length: height }, (_, at) => lines[at] ?? blank)}
    />
  )
}
