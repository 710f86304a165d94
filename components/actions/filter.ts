import { popDialog } from '../../stores/ui.ts'
import { changeTop, changeUi, topDialog } from '../screen.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { typedInto } from './text-input.ts'

const handlers: Handlers<'filter'> = {
  keep: screen => changeUi(screen, popDialog),
  back(screen) {
    const dialog = topDialog(screen, 'filter')
    changeUi(screen, ui => ({ ...popDialog(ui), filter: dialog?.before ?? '' }))
  },
}

/** The tree follows while the filter is typed. */
export const filter: Behaviour = {
  handlers,
  intercept(screen, event) {
    const dialog = topDialog(screen, 'filter')
    const editor = dialog && typedInto(screen, 'filter', dialog.editor, event)
    if (!editor) return false
    changeTop(screen, 'filter', now => ({ ...now, editor }))
    changeUi(screen, ui => ({ ...ui, filter: editor.text }))
    return true
  },
}
