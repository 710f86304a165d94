import type { Notice } from '../../stores/ui.ts'
import { type Place, rowsOf, type ScreenKey } from '../keymap.ts'
import { type Look, line } from '../look.ts'
import type { Situation } from '../situation.ts'
import { hintLine } from './KeyHints.tsx'

const noticeTones = { info: 'accent', warning: 'warning', danger: 'danger' } as const

/** Without any plans the other keys have nothing to act on. */
const firstKeys = new Set(['demo', 'newPlan', 'leave'])

/** The keys of the place on top; a notice takes the line until the next key. */
export function bottomLine(look: Look, situation: Situation, place: Place): string {
  const width = situation.ui.size.columns
  const told = noticeOf(situation)
  if (told) return line(look, { left: [{ text: ` ${told.text}`, tone: noticeTones[told.tone] }], width })
  const all = rowsOf(place)
  const isNew = place === 'home' && situation.model.plans.roots.length === 0
  const shown = (row: ScreenKey) => (isNew ? firstKeys.has(row.action) : row.hint === 'shown')
  const rows = [...all.filter(shown), ...all.filter(row => row.action === 'help')]
  return hintLine({ rows, context: situation, theme: look.theme, width, charset: look.charset })
}

/** Why the backend is away outlives what went well before; only the refusal of a key comes before it. */
function noticeOf({ ui: { notice }, connection }: Situation): Notice | null {
  if (notice && notice.tone !== 'info') return notice
  if (connection.kind === 'disconnected') return { text: connection.reason, tone: 'danger' }
  if (connection.kind === 'error') return { text: connection.message, tone: 'danger' }
  return notice
}
