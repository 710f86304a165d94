import { refuse } from '../../domain/failure.ts'
import type { Gate } from '../../domain/gate/gate.ts'
import { checkConfirmation } from '../../domain/guardrails/limits.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { StepApproval, StepCall } from '../gate/approve-step.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import type { Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { recordAudit } from './record-audit.ts'

/** Operations that a person must confirm, each call by itself: the answer is good for this one and no other. */
export function confirmCall({ session, plan }: Turn, call: StepCall): StepApproval | null {
  const { ports } = session
  const verdict = checkConfirmation(plan.guardrails.limits, call.tool)
  if (verdict.kind === 'not_needed') return null
  const key = `${call.key}:confirmation`
  const audited = { key, guardName: 'required_confirmations', context: { operation: call.tool, ...verdict } }
  const answer = answerTo(ports, plan, key)
  if (answer?.decision === 'request_changes') return { kind: 'changed', answer }
  if (answer?.decision === 'reject') {
    const why = answer.note ?? 'no reason given'
    const { failure } = refuse('denied', `A person did not confirm ${call.tool}: ${why}.`, {
      what: call.tool,
    })
    return { kind: 'refused', failure }
  }
  if (answer || wasApproved(ports, plan, call)) {
    const reason = 'a person confirmed this call'
    recordAudit(ports, plan, { ...audited, eventType: 'confirmation_granted', reason })
    return null
  }
  const reason = `${verdict.pattern} must be confirmed by a person each time`
  recordAudit(ports, plan, { ...audited, eventType: 'confirmation_required', reason })
  const next = ask(ports, {
    kind: 'confirmation',
    requestKey: key,
    question: `Run ${call.tool}?`,
    subject: { kind: 'tool', tool: call.tool, input: call.input, folder: plan.project.root },
    options: [{ id: 'run', label: 'Run it this once', description: null, effect: 'approve' }],
    reason,
    confidence: null,
  })
  return { kind: 'asked', next }
}

/** One question may settle several for the same call: somebody who has just let it run has confirmed it. */
function wasApproved({ store }: Ports, { planId }: Plan, { key }: StepCall): boolean {
  return store.gates.listByPlan(planId).some(gate => gate.requestKey.startsWith(`${key}:`) && letsItRun(gate))
}

function letsItRun({ kind, status }: Gate): boolean {
  return (
    ['step_approval', 'tool', 'guard'].includes(kind) &&
    status.kind === 'resolved' &&
    status.answer.decision === 'approve'
  )
}
