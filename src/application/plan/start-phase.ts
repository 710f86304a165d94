import { type Failure, ok, type Result, refuse } from '../../domain/failure.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import { recordDirectly } from '../decision/record-decision.ts'
import { forgetLine } from '../decision/supersede.ts'
import { scopeOf } from '../rollback/journalled-restore.ts'
import type { Next } from './next.ts'
import { worksInPlace } from './sandbox-facts.ts'
import type { PlanSession } from './session.ts'

/** Begins a phase; at the start of Strategize every invariant is recorded as a decision under the root. */
export async function startPhase(session: PlanSession, plan: Plan): Promise<Next> {
  const { ports } = session
  const startedAt = plan.startedAt ?? ports.clock.now()
  if (plan.position !== 'strategize/queued') return beginExecute(session, startedAt)
  const anew = ports.store.cursors.get(plan.planId)?.phase === 'execute'
  const renewed = anew ? await beginAnew(session, plan) : null
  if (renewed && !renewed.ok) return failedToStart(renewed.failure)
  return {
    event: 'started',
    patch: { startedAt, ...(anew ? { changes: null } : {}) },
    commit: current => {
      if (anew) forgetLine(ports, current)
      recordInvariants(session, current)
    },
  }
}

/** A plan that has applied a part goes on from that: in a new sandbox nobody would know what of the files is its own. */
async function beginAnew(session: PlanSession, plan: Plan): Promise<Result<unknown>> {
  // What it did stays in the user's files, and in its diff.
  if (worksInPlace(session.ports, plan)) return ok()
  const sandbox = await session.sandbox()
  if (plan.appliedState === null)
    return (sandbox.ok ? await refuseOnlyCopies(plan, sandbox.value) : null) ?? session.renewSandbox()
  return sandbox.ok ? sandbox.value.restore(plan.appliedState) : sandbox
}

/** What the plan wrote to files that are in no state would go with the sandbox; null when there is nothing of the kind. */
async function refuseOnlyCopies(plan: Plan, sandbox: Sandbox): Promise<Result<never> | null> {
  const paths = await sandbox.unrecorded()
  if (paths.length === 0) return null
  return refuse(
    'invalid_state',
    `Planned anew, the plan would lose what it wrote to ${paths.join(', ')}, too big to be recorded. Copy it from ${sandbox.root} into ${plan.project.root}, or the other way round where it may go, then resume the plan.`,
    { paths },
  )
}

/**
 * Execute that begins again after a restore that failed begins from what was recorded: that restore may be half done.
 * Whatever else differs is not ours to take away; the next step finds it and asks.
 */
async function beginExecute(session: PlanSession, startedAt: string): Promise<Next> {
  const { store } = session.ports
  const cursor = store.cursors.get(session.planId)
  const last = store.steps.last(session.planId)
  if (cursor && last?.kind === 'restore' && last.status === 'failed') {
    const sandbox = await session.sandbox()
    const restored = sandbox.ok ? await sandbox.value.restore(cursor.sandboxState, scopeOf(last)) : sandbox
    if (!restored.ok) return failedToStart(restored.failure)
  }
  return { event: 'started', patch: { startedAt } }
}

/** The plan is errored before anything ran; `plan resume` tries again. */
function failedToStart(failure: Failure): Next {
  return { event: 'failed', reason: `the sandbox is not ready: ${failure.message}` }
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
