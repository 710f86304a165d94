import { type Failure, ok, type Result, refuse } from '../../domain/failure.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import { forgetLine } from '../decision/supersede.ts'
import { reconcileFor, recordInvariants } from '../invariant/enforce.ts'
import { under } from '../invariant/tighter.ts'
import { preflightNow } from '../preflight/run-preflight.ts'
import { scopeOf } from '../rollback/journalled-restore.ts'
import type { Next } from './next.ts'
import { worksInPlace } from './sandbox-facts.ts'
import type { PlanSession } from './session.ts'

/** Begins a phase with the invariants that hold at that moment, each a decision under the root. */
export async function startPhase(session: PlanSession, plan: Plan): Promise<Next> {
  const { ports } = session
  const startedAt = plan.startedAt ?? ports.clock.now()
  const enforced = await reconcileFor(session, plan)
  if (!enforced.ok) return failedToReconcile(enforced.failure)
  if (plan.position !== 'strategize/queued') {
    const begun = await beginExecute(session, startedAt)
    return begun.event === 'started' ? under(session, plan, enforced.value, begun) : begun
  }
  const looked = await preflightNow(ports, plan)
  if ('event' in looked) return looked
  const { active } = enforced.value
  const anew = ports.store.cursors.get(plan.planId)?.phase === 'execute'
  const renewed = anew ? await beginAnew(session, plan) : null
  if (renewed && !renewed.ok) return failedToStart(renewed.failure)
  return {
    event: 'started',
    patch: { startedAt, invariants: active, preflight: looked, ...(anew ? { changes: null } : {}) },
    commit: current => {
      if (anew) forgetLine(ports, current)
      recordInvariants(ports, current, active, 'strategize')
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

/** Nobody knows what must stay true, so nothing begins; `plan resume` tries again. */
function failedToReconcile(failure: Failure): Next {
  return { event: 'failed', reason: `the invariants could not be reconciled: ${failure.message}` }
}

/** The plan is errored before anything ran; `plan resume` tries again. */
function failedToStart(failure: Failure): Next {
  return { event: 'failed', reason: `the sandbox is not ready: ${failure.message}` }
}
