import type { Gate, GateAnswer } from '../../domain/gate/gate.ts'
import type { Grant } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Next } from '../plan/next.ts'
import type { Ports } from '../ports.ts'
import { openGate, type Question } from './open-gate.ts'

/** What a person answered to this very request; null when nobody did. */
export function answerTo(ports: Ports, plan: Plan, requestKey: string): GateAnswer | null {
  const gate = lastGateFor(ports, plan, requestKey)
  return gate?.status.kind === 'resolved' ? gate.status.answer : null
}

function lastGateFor(ports: Ports, plan: Plan, requestKey: string): Gate | undefined {
  return ports.store.gates.listByPlan(plan.planId).findLast(gate => gate.requestKey === requestKey)
}

/** Is the request that follows this one a new proposal, because a person wanted another than the last? */
export function isRevision(ports: Ports, plan: Plan, previousKey: string): boolean {
  const gate = lastGateFor(ports, plan, previousKey)
  if (gate?.kind === 'decision')
    return gate.status.kind === 'resolved' && gate.status.answer.decision !== 'approve'
  return answerTo(ports, plan, `${previousKey}:error`)?.decision === 'request_changes'
}

/** Puts the question to a person: the plan waits from here on. */
export function ask(ports: Ports, question: Question): Next {
  return {
    event: 'waits',
    reason: question.question,
    commit: plan => {
      openGate(ports, plan, question)
    },
  }
}

export type Granted = Pick<Grant, 'gate' | 'decisionType' | 'tool'>

/** The standing approval of a person that covers this. It is never wider than the question it was given for. */
export function grantFor(ports: Ports, plan: Plan, wanted: Granted): Grant | undefined {
  return ports.store.grants.list(null).find(grant => {
    const inScope =
      grant.scope.kind === 'plan'
        ? grant.scope.planId === plan.planId
        : grant.scope.profile === plan.profile.name
    return (
      grant.revokedAt === null &&
      inScope &&
      grant.gate === wanted.gate &&
      grant.decisionType === wanted.decisionType &&
      grant.tool === wanted.tool
    )
  })
}
