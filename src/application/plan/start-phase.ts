import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import { recordDirectly } from '../decision/record-decision.ts'
import { supersede } from '../decision/supersede.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import type { Next } from './next.ts'
import type { PlanSession } from './session.ts'

/** Begins a phase; at the start of Strategize every invariant is recorded as a decision under the root. */
export async function startPhase(session: PlanSession, plan: Plan): Promise<Next> {
  const { ports } = session
  const startedAt = plan.startedAt ?? ports.clock.now()
  if (plan.position !== 'strategize/queued') return { event: 'started', patch: { startedAt } }
  const anew = ports.store.cursors.get(plan.planId)?.phase === 'execute'
  const renewed = anew ? await session.renewSandbox() : null
  if (renewed && !renewed.ok) {
    return askAboutFailure(
      session,
      `${plan.planId}:${plan.attempt}:renew`,
      'making a new sandbox',
      renewed.failure,
    )
  }
  return {
    event: 'started',
    patch: { startedAt, ...(anew ? { changes: null } : {}) },
    commit: current => {
      if (anew) forgetOldLine(session, current)
      recordInvariants(session, current)
    },
  }
}

/** The strategy is made anew on the user's present tree: what the old one led to is superseded. */
function forgetOldLine(session: PlanSession, plan: Plan): void {
  const { ports } = session
  const chosen = ports.store.decisions
    .listByPlan(plan.planId)
    .filter(each => isActive(each) && each.key !== null)
  supersede(ports, plan, chosen, { reason: 'revision', supersededBy: null, correctionId: null })
  ports.store.cursors.remove(plan.planId)
}

function recordInvariants(session: PlanSession, plan: Plan): void {
  const { ports } = session
  const known = ports.store.decisions.listByPlan(plan.planId).filter(isActive)
  const root = known.find(decision => decision.type === 'prompt_definition')
  const enforced = new Set(
    known.filter(each => each.type === 'invariant_enforced').map(each => each.chosenOption.label),
  )
  for (const invariant of plan.invariants.filter(text => !enforced.has(text))) {
    recordDirectly(ports, plan, {
      type: 'invariant_enforced',
      phase: 'strategize',
      question: 'What must stay true?',
      chosenOption: { id: 'invariant', label: invariant, rationale: null },
      rationale: 'an invariant of this plan',
      parentDecisionId: root?.decisionId ?? null,
      decidedBy: 'system',
    })
  }
}
