import type { Gate, GateAnswer } from '../../domain/gate/gate.ts'
import { fieldOf, type Guardrails } from '../../domain/guardrails/limits.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { closeGate } from '../gate/close-gates.ts'
import { type Change, changePlan, savePlan } from '../plan/change-plan.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { plansWithin } from './at-limit.ts'

type LimitSubject = Extract<Gate['subject'], { kind: 'limit' }>

/**
 * What an answer about a limit does besides moving the plan that asked: the limit is raised where the answer says so,
 * with an event of the plan whose limit it is, and every other plan that asked about the same limit goes on, or ends,
 * with it. Returns what changes on the plan itself. Call it inside a transaction.
 */
export function answerLimit(
  ports: Ports,
  plan: Plan,
  { subject }: Gate,
  { answer, by }: { readonly answer: GateAnswer; readonly by: string },
): Partial<Omit<Change, 'event'>> {
  if (subject.kind !== 'limit') return {}
  const raised = answer.decision === 'approve' ? raise(ports, subject, by) : null
  settleAlike(ports, plan, subject, answer)
  if (raised?.planId === plan.planId) return { patch: { guardrails: raised.guardrails } }
  const { exceeded } = plan.guardrails
  return answer.decision === 'reject' && exceeded ? { reason: exceeded.reason, exceeded } : {}
}

function raise(ports: Ports, { limit, planId, raiseTo }: LimitSubject, by: string): Plan | null {
  const field = fieldOf(limit)
  if (planId === null || raiseTo === null || field === null) return null
  const plan = planOf(ports, planId)
  return changeLimits(ports, plan, { [field]: raiseTo }, by)
}

/** Raises or lowers limits of a plan that exists, on record. Call it inside a transaction. */
function changeLimits(ports: Ports, plan: Plan, limits: Partial<Guardrails['limits']>, by: string): Plan {
  const sources = Object.fromEntries(Object.keys(limits).map(field => [field, 'person' as const]))
  const { exceeded } = plan.guardrails
  const isAboutThese = exceeded !== null && Object.keys(limits).includes(fieldOf(exceeded.limit) ?? '')
  const guardrails: Guardrails = {
    limits: { ...plan.guardrails.limits, ...limits },
    sources: { ...plan.guardrails.sources, ...sources },
    exceeded: isAboutThese ? null : exceeded,
  }
  const changed: Plan = { ...plan, guardrails }
  const { planId, rootPlanId } = plan
  const { limits: before } = plan.guardrails
  ports.store.events.append(planId, rootPlanId, {
    type: 'LIMITS_CHANGED',
    before,
    after: guardrails.limits,
    by,
  })
  savePlan(ports, changed)
  return changed
}

function settleAlike(ports: Ports, asked: Plan, subject: LimitSubject, { decision }: GateAnswer): void {
  const goesOn = decision === 'approve'
  const why = goesOn ? 'it was answered at another plan' : `${subject.of} was stopped at its limit`
  for (const plan of plansWithin(ports, asked, subject)) {
    if (plan.planId === asked.planId) continue
    const alike = ports.store.gates.listOpen(plan.planId).filter(gate => isAbout(gate, subject))
    for (const gate of alike)
      closeGate(ports, plan, gate, { kind: 'void', reason: why, at: ports.clock.now() })
    if (alike.length === 0) continue
    const { exceeded } = plan.guardrails
    const change: Change =
      goesOn || !exceeded ? { event: 'continued' } : { event: 'given_up', reason: exceeded.reason, exceeded }
    const changed = changePlan(ports, planOf(ports, plan.planId), change)
    if (!changed.ok) throw new Error(changed.failure.message)
  }
}

function isAbout({ subject }: Gate, { limit, level, planId, of }: LimitSubject): boolean {
  return (
    subject.kind === 'limit' &&
    subject.limit === limit &&
    subject.level === level &&
    subject.planId === planId &&
    subject.of === of
  )
}
