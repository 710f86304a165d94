import type { GateConfidence } from '../../domain/decision/decision.ts'
import type { Gate, GateKind, GateOption, GateSubject } from '../../domain/gate/gate.ts'
import { asId, type PlanId } from '../../domain/ids.ts'
import { phaseOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'
import { recordJudgement } from './record-judgement.ts'

export interface Question {
  readonly kind: GateKind
  readonly requestKey: string
  readonly question: string
  readonly subject: GateSubject
  readonly options: readonly GateOption[]
  /** Why a person is asked; made from the comparison when there is one. */
  readonly reason: string | null
  readonly confidence: GateConfidence | null
  readonly confirmWord?: string
}

/** Inserts the gate and its event inside the caller's transaction. Its digest covers everything that is shown. */
export function openGate(ports: Ports, plan: Plan, asked: Question): Gate {
  const { confidence } = asked
  const gate: Gate = {
    gateId: asId(ports.newId()),
    planId: plan.planId,
    requestKey: asked.requestKey,
    path: pathOf(ports, plan),
    kind: asked.kind,
    automation: confidence?.gate ?? null,
    phase: phaseOf(plan.position),
    question: asked.question,
    subject: asked.subject,
    options: asked.options,
    reason:
      asked.reason ?? (confidence ? comparison(confidence, plan.profile.name) : 'a person decides this'),
    confidence: confidence?.effective ?? null,
    threshold: confidence?.threshold ?? null,
    factors: confidence?.factors ?? null,
    comparison: confidence && kept(confidence),
    digest: ports.digest(JSON.stringify([plan.planId, plan.attempt, asked])),
    confirmWord: asked.confirmWord ?? null,
    openedAt: ports.clock.now(),
    status: { kind: 'open' },
  }
  ports.store.gates.insert(gate)
  if (confidence) recordJudgement(ports, plan, { about: asked.question, confidence, outcome: 'asked' })
  ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'GATE_OPENED', gate })
  return gate
}

/** Without whatever else a verdict has. */
function kept(given: GateConfidence): GateConfidence {
  const { gate, effective, computed, stated, threshold, factors, weights } = given
  return { gate, effective, computed, stated, threshold, factors, weights }
}

export function comparison(confidence: GateConfidence, profile: string): string {
  if (confidence.threshold >= 1) return `profile ${profile} always asks here`
  return `confidence ${confidence.effective.toFixed(2)}, profile ${profile} needs ${confidence.threshold.toFixed(2)}`
}

function pathOf(ports: Ports, plan: Plan): string[] {
  const path = [plan.name]
  for (let parent: PlanId | null = plan.parentPlanId; parent; ) {
    const above = ports.store.plans.find(parent)
    if (!above) break
    path.unshift(above.name)
    parent = above.parentPlanId
  }
  return path
}
