import { popDialog } from '../../stores/ui.ts'
import { changeTop, changeUi, type Screen, situationOf, tell, topDialog } from '../screen.ts'
import { moveBy } from '../scroll.ts'
import { foundCommands } from '../views/palette-rows.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { typedInto } from './text-input.ts'

/** Commands of Home by name, run as if their key had been pressed there. */
export function createPalette(run: (screen: Screen, action: string) => void): Behaviour {
  const handlers: Handlers<'palette'> = {
    up: screen => moveCursor(screen, -1),
    down: screen => moveCursor(screen, 1),
    run(screen) {
      const dialog = topDialog(screen, 'palette')
      const command = dialog && foundCommands(dialog.editor.text)[dialog.cursor]
      if (!command) return
      const refusal = command.row.whyNot?.(situationOf(screen))
      if (refusal !== undefined) {
        tell(screen, refusal, 'warning')
        return
      }
      changeUi(screen, ui => ({ ...popDialog(ui) }))
      run(screen, command.row.action)
    },
    back: screen => changeUi(screen, popDialog),
  }
  return {
    handlers,
    intercept(screen, event) {
      const dialog = topDialog(screen, 'palette')
      const editor = dialog && typedInto(screen, 'palette', dialog.editor, event)
      if (!editor) return false
      changeTop(screen, 'palette', now => ({ ...now, editor, cursor: 0 }))
      return true
    },
  }
}

function moveCursor(screen: Screen, steps: number): void {
  changeTop(screen, 'palette', now => {
    const count = foundCommands(now.editor.text).length
    return { ...now, cursor: moveBy(now.cursor, steps, count) }
  })
}
