/** What an answer of a model costs: the most that it may come to before it is asked, and what it came to afterwards. */
import { FailureError } from '../../domain/failure.ts'
import type { Amount } from '../../domain/guardrails/charge.ts'
import type { Excess } from '../../domain/guardrails/limits.ts'
import { costOf, estimatedTokens, type Usage } from '../../domain/model/usage.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { ModelCall, ModelReply } from '../ports/model.ts'
import type { Ports } from '../ports.ts'
import { releaseCost, reserveCost, settleCost } from './charge-call.ts'
import { amountSetting } from './limits-for.ts'

/** Null: there is room, and it is reserved. Call it inside a transaction. */
export function reserveAnswer(ports: Ports, plan: Plan, stepKey: string, call: ModelCall): Excess | null {
  const { usd, tokens, basis } = mostOf(ports, call)
  const verdict = reserveCost(ports, plan, { stepKey, costUsd: usd, tool: call.model, tokens, basis })
  return verdict?.kind === 'exceeded' ? verdict.excess : null
}

/**
 * `reply`: whatever arrived, whole or cut; null where nothing did, and then nothing is charged. Call it inside a
 * transaction.
 */
export function settleAnswer(
  ports: Ports,
  plan: Plan,
  stepKey: string,
  { call, reply }: { readonly call: ModelCall; readonly reply: ModelReply | null },
): void {
  if (reply === null) {
    releaseCost(ports, stepKey)
    return
  }
  settleCost(ports, plan, stepKey, cameTo(ports, call, reply))
}

/** The most that an answer comes to. */
export function mostOf(ports: Ports, call: ModelCall): Amount {
  return amountOf(ports, call.model, {
    inputTokens: tokensSent(call),
    outputTokens: call.maxOutputTokens,
    cachedInputTokens: null,
  })
}

/** What an answer came to. What a provider did not count is estimated, and told from what it did. */
export function cameTo(ports: Ports, call: ModelCall, { usage, message }: ModelReply): Amount {
  const { inputTokens, outputTokens, cachedInputTokens } = usage
  const isCounted = inputTokens !== null && outputTokens !== null
  const amount = amountOf(ports, call.model, {
    inputTokens: inputTokens ?? tokensSent(call),
    outputTokens: outputTokens ?? estimatedTokens(JSON.stringify(message.parts)),
    cachedInputTokens,
  })
  return isCounted ? amount : { ...amount, basis: 'assumed' }
}

function tokensSent({ messages, tools }: ModelCall): number {
  return estimatedTokens(JSON.stringify([messages, tools]))
}

function amountOf(ports: Ports, model: string, usage: Usage): Amount {
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)
  const usd = costOf(ports.models.facts(model).price, usage)
  if (usd !== null) return { usd, tokens, basis: 'known' }
  return { usd: (tokens * assumedPrice(ports)) / 1_000_000, tokens, basis: 'assumed' }
}

/** US dollars for a million tokens. A price that cannot be read must not be taken for none. */
function assumedPrice(ports: Ports): number {
  const amount = amountSetting(ports, 'model.assumed-price', null)
  if (!amount.ok) throw new FailureError(amount.failure)
  return amount.value ?? 0
}
