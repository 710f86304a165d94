import type { ProfilesDialog } from '../../dialogs.ts'
import { profilePages } from '../../dialogs.ts'
import { pageInside } from '../../layout.ts'
import { line, linesFrom } from '../../look.ts'
import { TextPage } from '../page.tsx'
import type { ViewProps } from '../view.ts'
import { pageRows } from './profile-pages.ts'

const titles = {
  table: 'All',
  profile: 'One',
  plan: 'This plan',
  waits: 'What would wait',
  calibration: 'Calibration',
} as const

/** When does it ask? All profiles side by side, one of them whole, what holds for the plan, and what would wait. */
export function ProfilesView(props: ViewProps & { readonly dialog: ProfilesDialog }) {
  const { situation, look, dialog } = props
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const rows = pageRows(props, dialog, { width, height })
  const top = dialog.page === 'table' ? 0 : Math.max(0, Math.min(dialog.top, rows.length - height))
  const lines = linesFrom(look, rows, { top, width, height })
  const below = rows.length - top - height
  const more =
    dialog.page === 'table'
      ? `${look.glyphs.down} ${below + 1} more on the next page`
      : `${look.glyphs.down} ${below + 1} more`
  const shown =
    below > 0
      ? [...lines.slice(0, -1), line(look, { left: [{ text: ` ${more}`, tone: 'muted' }], width })]
      : lines
  const title = profilePages.map(page => (page === dialog.page ? `[${titles[page]}]` : titles[page]))
  return <TextPage look={look} size={size} title={`Profiles: ${title.join('  ')}`} lines={shown} />
}
