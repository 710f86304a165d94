import type { ArgumentValue } from '../../domain/action.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import type { Gate } from '../../domain/gate/gate.ts'
import { shortId } from '../../domain/ids.ts'
import { phaseOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { AnswerGate } from '../backend/plan.ts'
import { recordGuidance } from '../decision/record-guidance.ts'
import { forgetLine } from '../decision/supersede.ts'
import { changePlan } from '../plan/change-plan.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { closeGate } from './close-gates.ts'

export interface PlanAnew {
  readonly gate: Gate
  readonly input: AnswerGate
  readonly guidance: string
  readonly args: Readonly<Record<string, ArgumentValue>>
}

/** Everything is decided again, with the guidance and the new arguments, on the user's present tree. */
export function planAnew(ports: Ports, { planId }: Plan, wanted: PlanAnew): Result<Plan> {
  const { gate, input, guidance, args } = wanted
  return ports.store.transaction(() => {
    const plan = planOf(ports, planId)
    const at = ports.clock.now()
    if (!closeGate(ports, plan, gate, { kind: 'resolved', answer: input.answer, by: input.by, at }))
      return refuse('stale_answer', `Gate ${shortId(gate.gateId)} was answered meanwhile.`, {
        gate_id: gate.gateId,
      })
    const phase = phaseOf(plan.position)
    recordGuidance(ports, plan, {
      phase: phase === 'apply' ? 'execute' : phase,
      question: gate.question,
      rationale: 'changes were requested at the gate',
      words: guidance,
    })
    // A sandbox with work in it is renewed when Strategize starts; there is none to renew before Execute.
    const fresh = phase === 'strategize' ? forgetLine(ports, plan) : plan
    const begun = phase !== 'action'
    return changePlan(ports, fresh, {
      event: begun ? 'strategy_revised' : 'continued',
      reason: guidance,
      patch: {
        args: { ...plan.args, ...args },
        guidance: [...plan.guidance, guidance],
        attempt: begun ? plan.attempt + 1 : plan.attempt,
      },
    })
  })
}
