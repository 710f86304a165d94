import type { PlanStrategy } from '../../application/plan/edit-strategy.ts'
import { mapped } from '../../domain/failure.ts'
import type { StrategyView } from '../protocol/views/strategy.ts'
import type { Handler } from './call.ts'
import { messagesView } from './to-view/message.ts'

export const showStrategy: Handler<'_cleveragents/plan/strategy/show'> = async ({ plan_id }, { backend }) =>
  mapped(backend.strategy(plan_id), strategyView)

export const editStrategy: Handler<'_cleveragents/plan/strategy/edit'> = async (
  params,
  { backend, user },
) => {
  const { plan_id, text, digest } = params
  return mapped(backend.editStrategy({ planRef: plan_id, text, digest, by: user }), strategyView)
}

export const listMessages: Handler<'_cleveragents/plan/message/list'> = async (params, { backend }) => {
  const { plan_id, decision_id, limit } = params
  return mapped(backend.messages({ planRef: plan_id, decisionRef: decision_id ?? null, limit }), messagesView)
}

function strategyView({ plan, strategy, digest }: PlanStrategy): StrategyView {
  const { text, revision, editedBy } = strategy
  return { plan_id: plan.planId, plan_name: plan.name, text, revision, edited_by: editedBy, digest }
}
