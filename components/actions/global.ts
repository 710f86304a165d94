import { selectedPlan } from '../../stores/selectors.ts'
import { palettes } from '../../themes/index.ts'
import { createEditor } from '../parts/editor-model.ts'
import { ask, changeUi, push, type Screen, tell } from '../screen.ts'
import type { Handlers } from './handler.ts'

export const globalHandlers: Handlers<'global'> = {
  help(screen) {
    // Help does not stand on itself.
    if (screen.store.ui().dialogs.at(-1)?.kind !== 'help') push(screen, { kind: 'help', top: 0 })
  },
  palette: screen => push(screen, { kind: 'palette', editor: createEditor('one'), cursor: 0 }),
  theme: screen =>
    changeUi(screen, ui => {
      const at = palettes.findIndex(palette => palette.name === ui.themeName)
      return { ...ui, themeName: palettes[(at + 1) % palettes.length]?.name ?? ui.themeName }
    }),
  restart: screen => void screen.store.start(),
}

export const alwaysHandlers: Handlers<'always'> = {
  interrupt,
  suspend: screen => screen.hooks.suspend(),
  repaint: screen => screen.hooks.repaint(),
}

/** Deliberate: the first press only says what a second would do. */
function interrupt(screen: Screen): void {
  const ui = screen.store.ui()
  const plan = selectedPlan(screen.store.model, ui)
  if (!plan) return
  if (ui.interruptArmedFor === plan.plan_id) {
    changeUi(screen, now => ({ ...now, interruptArmedFor: null }))
    void ask(
      screen,
      '_cleveragents/plan/interrupt',
      { plan_id: plan.plan_id },
      `The running step of ${plan.name} was interrupted.`,
    )
    return
  }
  tell(screen, `Press ctrl+c again to interrupt the running step of ${plan.name}.`, 'warning')
  changeUi(screen, now => ({ ...now, interruptArmedFor: plan.plan_id }))
}
