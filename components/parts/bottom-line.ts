import { type Place, rowsOf } from '../keymap.ts'
import { type Look, line } from '../look.ts'
import type { Situation } from '../situation.ts'
import { hintLine } from './KeyHints.tsx'

const noticeTones = { info: 'accent', warning: 'warning', danger: 'danger' } as const

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
  const rows = [...all.filter(row => row.hint === 'shown'), ...all.filter(row => row.action === 'help')]
  return hintLine({ rows, context: situation, theme: look.theme, width, charset: look.charset })
}
