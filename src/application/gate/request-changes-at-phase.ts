import { type Result, refuse } from '../../domain/failure.ts'
import type { Gate } from '../../domain/gate/gate.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { AnswerGate, CorrectDecision } from '../backend.ts'
import { correctDecision } from '../decision/correct-decision.ts'
import type { PlanOwner } from '../plan-owner.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { closeGate } from './close-gates.ts'

/**
 * Changes asked for at a phase gate go to the decision they name (`where=all`), else to the last decision that an
 * actor took: it is decided again with the guidance, and the gate comes back with a new revision.
 */
export async function requestChangesAtPhase(
  ports: Ports,
  owner: PlanOwner,
  plan: Plan,
  gate: Gate,
  input: AnswerGate,
): Promise<Result<Plan>> {
  const guidance = input.answer.guidance?.trim() ?? ''
  const decided = ports.store.decisions
    .listByPlan(plan.planId)
    .filter(each => isActive(each) && each.key !== null)
  const pair = /^(?<key>[^\s=]+)=(?<value>.+)$/s.exec(guidance)?.groups
  const named = pair ? decided.findLast(each => each.key === pair['key']) : undefined
  const target = named ?? decided.at(-1)
  if (!target) {
    return refuse(
      'invalid_state',
      'Nothing has been decided yet that could be changed. Approve to start, or reject.',
      {
        gate_id: gate.gateId,
      },
    )
  }
  const wanted: CorrectDecision = {
    decisionRef: target.decisionId,
    planRef: plan.planId,
    mode: 'revert',
    guidance: named ? (pair?.['value'] ?? guidance) : guidance,
    action: null,
    dryRun: true,
    digest: null,
  }
  const possible = await correctDecision(ports, owner, wanted)
  if (!possible.ok) return possible
  const at = ports.clock.now()
  ports.store.transaction(() =>
    closeGate(ports, plan, gate, { kind: 'resolved', answer: input.answer, by: input.by, at }),
  )
  const corrected = await correctDecision(ports, owner, { ...wanted, dryRun: false })
  if (!corrected.ok) return corrected
  return { ok: true, value: planOf(ports, plan.planId) }
}
