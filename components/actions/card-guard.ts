import type { Screen } from '../screen.ts'
import { topDialog } from '../screen.ts'
import { guardGrown, guardHidden, guardShown, guardStatus, startGuard } from '../terminal/approval-guard.ts'

/** Keeps the guard in step with what is on screen: another question, or the same one changed, starts over. */
export function followCard(screen: Screen): void {
  const { dialogs } = screen.store.ui()
  const open = dialogs.findLast(dialog => dialog.kind === 'gate')
  const gate = open?.kind === 'gate' ? screen.store.model.gates.open.get(open.gateId) : undefined
  if (!gate) {
    screen.card = null
    return
  }
  if (screen.card?.gateId !== gate.gate_id || screen.card.guard.digest !== gate.digest) {
    const optionCount = Math.min(9, gate.options.length)
    const word = gate.confirm_word ?? undefined
    const guard = startGuard({ digest: gate.digest, optionCount, word, at: screen.clock.now() })
    screen.card = { gateId: gate.gate_id, guard, rowCount: 0 }
  }
  const isCovered = dialogs.at(-1) !== open || open?.kind !== 'gate' || open.guidance !== null
  if (isCovered && screen.card.guard.shownAt !== undefined)
    screen.card = { ...screen.card, guard: guardHidden(screen.card.guard) }
}

export interface DrawnCard {
  readonly digest: string
  readonly rowCount: number
  readonly isEndVisible: boolean
}

/** Told when the card has been drawn; it counts as seen once the terminal has the frame. */
export function cardDrawn(screen: Screen, drawn: DrawnCard): void {
  const { card } = screen
  if (card?.guard.digest !== drawn.digest) return
  const guard = drawn.rowCount > card.rowCount ? guardGrown(card.guard) : card.guard
  screen.card = { ...card, guard, rowCount: drawn.rowCount }
  if (guard.shownAt !== undefined && (guard.hasShownEnd || !drawn.isEndVisible)) return
  screen.hooks.afterFrame(at => {
    const dialog = topDialog(screen, 'gate')
    if (screen.card?.guard.digest !== drawn.digest || !dialog || dialog.guidance !== null) return
    screen.card = {
      ...screen.card,
      guard: guardShown(screen.card.guard, { at, isEndVisible: drawn.isEndVisible }),
    }
    watchCard(screen)
  })
}

/** Draws again now, and once more at the instant the card becomes armed. */
export function watchCard(screen: Screen): void {
  screen.store.changeUi(ui => ({ ...ui }))
  const guard = screen.card?.guard
  if (!guard) return
  const status = guardStatus(guard, screen.clock.now())
  if (status.kind !== 'settling') return
  screen.clock.after(Math.max(1, status.armedAt - screen.clock.now()), () => {
    if (screen.card && guardStatus(screen.card.guard, screen.clock.now()).kind === 'armed')
      screen.store.changeUi(ui => ({ ...ui }))
  })
}
