import { type ActiveInvariant, sourceWords } from '../../domain/invariant/invariant.ts'
import { phaseOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { ask } from '../gate/find-answer.ts'
import type { Question } from '../gate/open-gate.ts'
import { savePlan } from '../plan/change-plan.ts'
import type { Next } from '../plan/next.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { type Enforced, recordInvariants } from './enforce.ts'

/**
 * What follows from the invariants that hold now: they are recorded together with the move that goes on, or a person
 * is asked first, where more is asked for than when the work was begun. No profile passes that by itself.
 */
export function under(session: PlanSession, plan: Plan, enforced: Enforced, goOn: Next): Next {
  const question = questionFor(session.ports, plan, enforced.tighter)
  const next = question ? ask(session.ports, question) : goOn
  return {
    ...next,
    patch: { ...next.patch, invariants: enforced.active },
    commit: current => {
      recordInvariants(session.ports, current, enforced.active, 'execute')
      next.commit?.(current)
    },
  }
}

/** The same where the plan goes on without a move; null: it may. */
export function askOrRecord(session: PlanSession, plan: Plan, enforced: Enforced): Next | null {
  const { ports } = session
  if (questionFor(ports, plan, enforced.tighter)) return under(session, plan, enforced, { event: null })
  const isSet = JSON.stringify(enforced.active) === JSON.stringify(plan.invariants)
  ports.store.transaction(() => {
    recordInvariants(ports, plan, enforced.active, 'execute')
    const current = ports.store.plans.find(plan.planId)
    if (current && !isSet) savePlan(ports, { ...current, invariants: enforced.active })
  })
  return null
}

/** One that was asked about and not approved is asked about again, whatever moved the plan meanwhile. */
function questionFor(ports: Ports, plan: Plan, tighter: readonly ActiveInvariant[]): Question | null {
  const key = `${plan.attempt}:invariants:`
  const last = ports.store.gates
    .listByPlan(plan.planId)
    .findLast(({ requestKey }) => requestKey.startsWith(key))
  const isApproved = last?.status.kind === 'resolved' && last.status.answer.decision === 'approve'
  const waiting = last && !isApproved && last.subject.kind === 'phase' ? last.subject.summary.split('\n') : []
  const lines = [...new Set([...waiting, ...tighter.map(newLine)])]
  if (lines.length === 0) return null
  const isApply = phaseOf(plan.position) === 'apply'
  return {
    kind: 'confirmation',
    requestKey: `${key}${ports.digest(lines.join('\n'))}`,
    question: isApply
      ? 'More is to stay true than when this work was begun. Apply it all the same?'
      : 'More is to stay true than when this strategy was made. Carry it out all the same?',
    subject: {
      kind: 'phase',
      from: isApply ? 'Execute' : 'Strategize',
      to: isApply ? 'Apply' : 'Execute',
      strategy: null,
      changesDigest: null,
      summary: lines.join('\n'),
    },
    options: [
      { id: 'go', label: 'Go on', description: 'The actor hears of them from here on.', effect: 'approve' },
      {
        id: 'stop',
        label: 'Stop the plan here',
        description: 'Correct a decision with them in mind, or resume it.',
        effect: 'reject',
      },
    ],
    reason: 'the invariants of this plan were tightened',
    confidence: null,
  }
}

/** As a person reads it at a gate. */
export function newLine({ text, source }: ActiveInvariant): string {
  return `new: ${text} (of ${sourceWords(source)})`
}
