import { type Failure, refuse } from '../../domain/failure.ts'
import type { GateAnswer } from '../../domain/gate/gate.ts'
import type { Next } from '../plan/next.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import { answerTo, ask, grantFor } from './find-answer.ts'

export type StepApproval =
  | { readonly kind: 'approved' }
  | { readonly kind: 'asked'; readonly next: Next }
  | { readonly kind: 'changed'; readonly answer: GateAnswer }
  | { readonly kind: 'refused'; readonly failure: Failure }

/** Where the safety profile wants a person before every step, nothing passes by confidence. */
export function stepApproval(
  turn: Turn,
  call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> },
): StepApproval {
  const { plan } = turn
  const { ports } = turn.session
  if (!plan.profile.safety.requireHumanApproval) return { kind: 'approved' }
  const safe = ports.tools.find(call.tool)?.capability.unsafe === false
  if (safe && grantFor(ports, plan, { gate: 'step_approval', decisionType: null, tool: call.tool }))
    return { kind: 'approved' }
  const key = `${requestKey(turn)}:approval`
  const answer = answerTo(ports, plan, key)
  if (answer?.decision === 'approve') return { kind: 'approved' }
  if (answer?.decision === 'request_changes') return { kind: 'changed', answer }
  if (answer) {
    const message = `A person refused ${call.tool}: ${answer.note ?? 'no reason given'}.`
    return { kind: 'refused', failure: refuse('denied', message, { tool: call.tool }).failure }
  }
  const next = ask(ports, {
    kind: 'step_approval',
    requestKey: key,
    question: `Run ${call.tool}?`,
    subject: { kind: 'tool', tool: call.tool, input: call.input, folder: plan.project.root },
    options: [{ id: 'run', label: 'Run it', description: null, effect: 'approve' }],
    reason: 'the safety profile wants a person to approve every step',
    confidence: null,
  })
  return { kind: 'asked', next }
}
