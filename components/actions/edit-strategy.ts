import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import { changeTop, changeUi, type Screen, tell } from '../screen.ts'
import { leaveCard } from './leave-card.ts'

/** In the person's own editor; what comes back is asked about anew, so this card closes. */
export async function editStrategy(screen: Screen, gate: GateView): Promise<void> {
  const { store, hooks } = screen
  const { plan_id } = gate
  const fail = (message: string) => changeTop(screen, 'gate', now => ({ ...now, message }))
  const shown = await store.call('_cleveragents/plan/strategy/show', { plan_id })
  if (!shown.ok) {
    fail(shown.failure.message)
    return
  }
  const { text, digest, revision } = shown.value
  const edited = await hooks.edit(text)
  if (edited.kind === 'problem') {
    tell(screen, edited.message, 'warning')
    return
  }
  const taken = await store.call('_cleveragents/plan/strategy/edit', { plan_id, text: edited.text, digest })
  if (!taken.ok) fail(taken.failure.message)
  else if (taken.value.revision === revision) tell(screen, 'The strategy is as it was.')
  else {
    changeUi(screen, ui => leaveCard(store.model, ui, gate))
    tell(screen, `The strategy is now revision ${taken.value.revision}; it is asked about anew.`)
  }
}
