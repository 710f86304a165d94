import { type Place, rowsOf, type ScreenKey } from '../keymap.ts'
import { type Look, line } from '../look.ts'
import type { Situation } from '../situation.ts'
import { hintLine } from './KeyHints.tsx'

const noticeTones = { info: 'accent', warning: 'warning', danger: 'danger' } as const

/** Without any plans the other keys have nothing to act on. */
const firstKeys = new Set(['demo', 'newPlan', 'leave'])

/** The keys of the place on top; a notice takes the line until the next key. */
export function bottomLine(look: Look, situation: Situation, place: Place): string {
  const { ui, connection } = situation
  const width = ui.size.columns
  if (ui.notice)
    return line(look, { left: [{ text: ` ${ui.notice.text}`, tone: noticeTones[ui.notice.tone] }], width })
  if (connection.kind === 'disconnected')
    return line(look, { left: [{ text: ` ${connection.reason}`, tone: 'danger' }], width })
  if (connection.kind === 'error')
    return line(look, { left: [{ text: ` ${connection.message}`, tone: 'danger' }], width })
  const all = rowsOf(place)
  const isNew = place === 'home' && situation.model.plans.roots.length === 0
  const shown = (row: ScreenKey) => (isNew ? firstKeys.has(row.action) : row.hint === 'shown')
  const rows = [...all.filter(shown), ...all.filter(row => row.action === 'help')]
  return hintLine({ rows, context: situation, theme: look.theme, width, charset: look.charset })
}
