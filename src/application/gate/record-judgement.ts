import type { Verdict } from '../../domain/gate/confidence.ts'
import type { Judgement } from '../../domain/gate/judgement.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

/** Keeps what the confidence controller said. Call it inside the transaction of what came of it. */
export function recordJudgement(
  ports: Ports,
  plan: Plan,
  { about, confidence, outcome }: Pick<Judgement, 'about' | 'confidence' | 'outcome'>,
): Judgement {
  const judgement: Judgement = { planId: plan.planId, about, confidence, outcome, at: ports.clock.now() }
  ports.store.judgements.insert(judgement)
  return judgement
}

/**
 * The profile let an operation of an automation gate happen by itself: it stands in the plan's own log, with the
 * comparison behind it. Decisions carry theirs; what a person is asked has a gate.
 */
export function recordPass(
  ports: Ports,
  plan: Plan,
  { passes: _, ...confidence }: Verdict,
  about: string,
): void {
  const judgement = recordJudgement(ports, plan, { about, confidence, outcome: 'passed' })
  ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'GATE_PASSED', judgement })
}
