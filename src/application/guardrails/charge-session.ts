/** What the answers of a session's model cost: they count for the session and for the organisation, and for no plan. */
import { type Result, refuse } from '../../domain/failure.ts'
import { checkBudget, monthOf } from '../../domain/guardrails/budget.ts'
import type { ModelCall, ModelReply } from '../ports/model.ts'
import type { Ports } from '../ports.ts'
import { orgTier, sessionTier } from './budget-tiers.ts'
import { cameTo, mostOf } from './charge-model.ts'

/** Names the reservation. Checked and reserved in one go, so that two that speak at once cannot take the same room. */
export function reserveInSession(ports: Ports, sessionId: string, call: ModelCall): Result<string> {
  const { store, clock } = ports
  return store.transaction(() => {
    const stepKey = stepKeyOf(sessionId)
    const before = store.ledger.ofStep(stepKey)
    const amount = mostOf(ports, call)
    const verdict = checkBudget([sessionTier(ports, sessionId), orgTier(ports)], amount.usd)
    if (verdict.kind === 'exceeded')
      return refuse('budget_exceeded', `${verdict.reason}. Nothing was asked of ${call.model}.`, {
        level: verdict.exceededLevel,
      })
    const key = `${stepKey}:call-${before.length + 1}`
    const month = monthOf(clock.now())
    store.ledger.reserve({
      key,
      stepKey,
      planId: null,
      sessionId,
      profile: null,
      month,
      state: 'reserved',
      ...amount,
    })
    return { ok: true, value: key }
  })
}

/** `reply`: whatever arrived, whole or cut; null where nothing did, and then nothing is charged. */
export function settleInSession(
  ports: Ports,
  key: string,
  { call, reply }: { readonly call: ModelCall; readonly reply: ModelReply | null },
): void {
  const { ledger } = ports.store
  ports.store.transaction(() => {
    if (reply === null) ledger.close(key, 'released', { usd: 0, tokens: 0, basis: 'known' })
    else ledger.close(key, 'settled', cameTo(ports, call, reply))
  })
}

/** What a process reserved that is gone may have been asked and answered: it counts as it was reserved. */
export function closeInSession({ store }: Ports, sessionId: string): void {
  store.transaction(() => {
    for (const charge of store.ledger.ofStep(stepKeyOf(sessionId)))
      if (charge.state === 'reserved') store.ledger.close(charge.key, 'settled', charge)
  })
}

function stepKeyOf(sessionId: string): string {
  return `session:${sessionId}`
}
