import { inbox } from '../../stores/gates.ts'
import { pageInside } from '../layout.ts'
import { line, linesFrom, wrapped } from '../look.ts'
import { firstRow } from '../scroll.ts'
import { oneLine, pathWord, scoreWord, timeWord } from '../words.ts'
import { TextPage } from './page.tsx'
import type { ViewProps } from './view.ts'

/** Everything that waits, over all plans and depths, oldest first. */
export function GatesView({ situation, look, gateId }: ViewProps & { gateId: string | null }) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const all = inbox(situation.model.gates)
  const at = all.findIndex(gate => gate.gate_id === gateId)
  const top = firstRow({ row: Math.max(0, at), offset: Math.floor(height / 2), height, count: all.length })
  const lines =
    all.length === 0
      ? linesFrom(look, [[], ...wrapped('Nothing waits for you.', width - 2, 'muted', 1)], {
          top: 0,
          width,
          height,
        })
      : all.slice(top, top + height).map((gate, row) =>
          line(look, {
            left: [
              { text: top + row === at ? look.glyphs.selected : ' ', tone: 'accent' },
              { text: `${look.glyphs.waits} `, tone: 'waiting' },
              {
                text: `${pathWord(gate.path, Math.floor(width * 0.4), look.glyphs.ellipsis)}  `,
                tone: 'accent',
              },
              { text: oneLine(gate.question), tone: 'text' },
            ],
            right: [
              ...(gate.confidence !== null && gate.threshold !== null && gate.confidence < gate.threshold
                ? [
                    {
                      text: `${scoreWord(gate.confidence)}<${scoreWord(gate.threshold)}  `,
                      tone: 'waiting' as const,
                    },
                  ]
                : []),
              { text: `${timeWord(gate.opened_at)} `, tone: 'muted' },
            ],
            width,
            surface: top + row === at ? 'selection' : undefined,
          }),
        )
  return <TextPage look={look} size={size} title={`Gates (${all.length})`} lines={lines} />
}
