import { APPLY_OPERATION, type GuardVerdict } from '../../domain/guards/guard.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Question } from '../gate/open-gate.ts'
import { askUnderGuard } from '../guards/guard-approval.ts'
import { judgeApply } from '../guards/judge-tool-call.ts'
import { phaseKey } from '../plan/decide-phase.ts'
import type { Next } from '../plan/next.ts'
import type { PlanSession } from '../plan/session.ts'

/** Guards may have been tightened since Apply was let through: one that nobody was asked about is asked about here. */
export function keepGuards(session: PlanSession, plan: Plan): Next | null {
  const verdict = judgeApply(session.ports, plan)
  if (verdict.allowed || isLetThrough(session, plan, verdict)) return null
  return askUnderGuard(session.ports, APPLY_OPERATION, verdict, questionFor(session, plan, verdict))
}

/** A person let this Apply through, told of this guard; to one that wants the word of a person any such answer is it. */
function isLetThrough(session: PlanSession, plan: Plan, { guard, reason }: GuardVerdict): boolean {
  const first = keyOf(session, plan)
  return session.ports.store.gates.listByPlan(plan.planId).some(gate => {
    const isApply = gate.requestKey === first || gate.requestKey.startsWith(`${first}:`)
    if (!isApply || gate.status.kind !== 'resolved' || gate.status.answer.decision !== 'approve') return false
    return guard === 'apply_approval' || gate.reason?.includes(reason) === true
  })
}

/** Also of what is left after a part was applied: that is never applied unasked. */
function keyOf(session: PlanSession, plan: Plan): string {
  return phaseKey(session, { ...plan, appliedState: null }, 'autoApply')
}

function questionFor(session: PlanSession, plan: Plan, { reason }: GuardVerdict): Question {
  return {
    kind: 'confirmation',
    requestKey: `${keyOf(session, plan)}:guard`,
    question: 'A guard stopped Apply. Apply these changes all the same?',
    subject: {
      kind: 'phase',
      from: 'Execute',
      to: 'Apply',
      strategy: null,
      changesDigest: null,
      summary: reason,
    },
    options: [
      { id: 'go', label: 'Apply, this once', description: null, effect: 'approve' },
      {
        id: 'stop',
        label: 'Stop the plan here',
        description: 'Nothing is written to your files. Resume it to be asked again.',
        effect: 'reject',
      },
    ],
    reason,
    confidence: null,
  }
}
