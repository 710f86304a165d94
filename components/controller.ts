import { keepChoices } from '../stores/tree-choices.ts'
import { followCard } from './actions/card-guard.ts'
import { behaviourOf, handlersOf } from './actions/index.ts'
import { type Place, rowsOf } from './keymap.ts'
import { ensureNeeds } from './needs.ts'
import { placeOf } from './place.ts'
import { changeUi, type Screen, situationOf, tell } from './screen.ts'
import type { InputEvent } from './terminal/input-event.ts'
import { createKeyRouter } from './terminal/key-router.ts'

export interface Controller {
  dispatch(event: InputEvent): void
  /** From now on keys are acted on; those typed until here come first. */
  accept(): void
  stop(): void
}

/**
 * Ties keys to actions. Which keys are in force follows from the dialogs in the store and changes in the same instant,
 * not with the next frame: of several keys in one read each meets what the one before it opened.
 */
export function createController(screen: Screen): Controller {
  const router = createKeyRouter(screen.clock, () => situationOf(screen))
  const open: { place: Place; depth: number; close: () => void }[] = []

  function openMode(place: Place, depth: number): void {
    const isGuarded = behaviourOf(screen, place).isGuarded ?? false
    const close = router.open({
      name: place,
      rows: rowsOf(place),
      isModal: true,
      isGuarded,
      intercept: event => behaviourOf(screen, place).intercept?.(screen, event) ?? false,
      run: (action, event) => handlersOf(screen, place)[action]?.(screen, event),
      refuse: refusal => tell(screen, refusal, 'warning'),
    })
    open.push({ place, depth, close })
  }

  function follow(): void {
    const { dialogs } = screen.store.ui()
    const wanted = dialogs.map((dialog, depth) => ({ place: placeOf(dialog), depth }))
    const same = wanted.findIndex((want, at) => want.place !== open[at + 1]?.place)
    const kept = same < 0 ? wanted.length : same
    for (const gone of open.splice(kept + 1).reverse()) gone.close()
    for (const want of wanted.slice(kept)) openMode(want.place, want.depth)
    followCard(screen)
    keepChoices(screen.store.model, screen.store.ui())
    ensureNeeds(screen)
  }

  openMode('home', -1)
  follow()
  const unsubscribe = screen.store.state.subscribe(follow)
  return {
    dispatch(event) {
      if (event.type === 'key' && event.phase !== 'release') forgetNotice(screen, event)
      router.dispatch(event)
    },
    accept: router.accept,
    stop: unsubscribe,
  }
}

/** What was told stands until the next key; the first ctrl+c waits for the second one only. */
function forgetNotice(screen: Screen, event: { name: string; ctrl: boolean }): void {
  const { notice, interruptArmedFor } = screen.store.ui()
  const isInterrupt = event.ctrl && event.name === 'c'
  if (notice === null && (interruptArmedFor === null || isInterrupt)) return
  changeUi(screen, ui => ({
    ...ui,
    notice: null,
    interruptArmedFor: isInterrupt ? ui.interruptArmedFor : null,
  }))
}
