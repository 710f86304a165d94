import { anotherAttempt, MAX_REVERSIONS, type Plan } from '../../domain/plan/plan.ts'
import type { ApplyConflict, ApplyReport, ApplyRequest } from '../../domain/sandbox/strategy.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { openGate } from '../gate/open-gate.ts'
import { phaseKey } from './decide-phase.ts'
import { authoriseStep, endStep, runStep } from './journal-step.ts'
import { type Next, stay } from './next.ts'
import type { PlanSession } from './session.ts'

/**
 * Merges the plan's change set into the user's tree as it is now: the only moment at which that tree changes. Refused
 * when the change set is not the one that was approved.
 */
export async function applyPlan(session: PlanSession, plan: Plan): Promise<Next> {
  const { ports } = session
  const cursor = ports.store.cursors.get(plan.planId)
  const sandbox = await session.sandbox()
  if (!sandbox.ok)
    return askAboutFailure(session, `${plan.attempt}:apply`, 'opening the sandbox', sandbox.failure)
  if (!cursor) return { event: 'failed', reason: 'there is no recorded work to apply' }
  const from = plan.appliedState ?? sandbox.value.baseline
  const changes = await sandbox.value.changes(from, cursor.sandboxState)
  if (!changes.ok)
    return askAboutFailure(session, `${plan.attempt}:apply`, 'reading the changes', changes.failure)
  const approved = approvedDigest(session, plan)
  if (approved !== null && approved !== changes.value.digest) {
    return {
      event: 'failed',
      reason:
        'the change set is not the one that was approved; correct a decision or roll back to be asked again',
    }
  }
  const authorised = ports.store.transaction(() =>
    authoriseStep(ports, plan, cursor, {
      path: 'apply',
      kind: 'apply',
      tool: null,
      input: { digest: changes.value.digest, folder: plan.project.root },
      readOnly: false,
      idempotencyKey: `${plan.attempt}:${plan.planId}:apply:${ports.clock.now()}`,
    }),
  )
  let report: ApplyReport | null = null
  const { step, result } = await runStep(session, plan, authorised, async () => {
    const request: ApplyRequest = { from, to: cursor.sandboxState, choice: { kind: 'all' } }
    const applied = await sandbox.value.apply(request, session.signal)
    if (!applied.ok) return applied
    report = applied.value
    return { ok: true, value: { output: {}, summary: wordsFor(applied.value), read: [], written: [] } }
  })
  if (!result.ok && session.signal.aborted) return stay
  const ended = { ...step, summary: result.ok ? result.value.summary : result.failure.message }
  if (!result.ok) {
    const next = askAboutFailure(session, `${plan.attempt}:apply`, 'Apply', result.failure)
    return withStep(session, next, { ...ended, status: 'failed' })
  }
  return withStep(session, settle(session, plan, report), { ...ended, status: 'done' })
}

function settle(session: PlanSession, plan: Plan, report: ApplyReport | null): Next {
  if (report === null) throw new Error('apply ended without a report')
  if (report.outcome === 'applied')
    return { event: 'applied', reason: wordsFor(report), patch: { appliedState: report.state } }
  return constrained(session, plan, report.conflicts)
}

/** Nothing was written. A conflict is either planned around anew on the present tree, or a person's to resolve. */
function constrained(session: PlanSession, plan: Plan, conflicts: readonly ApplyConflict[]): Next {
  const { ports } = session
  const verdict = judgeOperation(ports, plan, {
    gate: 'revertConstrainedApply',
    decisionType: 'strategy_choice',
    stated: null,
  })
  const names = conflicts.map(conflict => conflict.path).join(', ')
  const reason = `${conflicts.length} ${conflicts.length === 1 ? 'path' : 'paths'} changed meanwhile: ${names}`
  if (verdict.passes && plan.reversions < MAX_REVERSIONS) {
    return {
      event: 'constrained',
      reason,
      followedBy: { event: 'strategy_revised', reason, patch: anotherAttempt(plan) },
    }
  }
  return {
    event: 'constrained',
    reason,
    commit: current => {
      openGate(ports, current, {
        kind: 'constrained',
        requestKey: `${plan.attempt}:constrained:${ports.clock.now()}`,
        question: `Your files and the plan changed the same places: ${names}. Nothing was written.`,
        subject: {
          kind: 'constrained',
          conflicts: conflicts.map(({ path, reason: why }) => ({ path, reason: why })),
        },
        options: [
          {
            id: 'retry',
            label: 'Try again',
            description: 'After you have changed the files yourself.',
            effect: 'approve',
          },
          {
            id: 'redo',
            label: 'Plan anew on your files as they are now',
            description: 'The work so far is superseded and done again.',
            effect: 'approve',
          },
          {
            id: 'stop',
            label: 'Leave it unapplied',
            description: 'The plan ends as failed; its diff stays.',
            effect: 'reject',
          },
        ],
        reason: null,
        confidence: verdict,
      })
    },
  }
}

function withStep(session: PlanSession, next: Next, ended: Parameters<typeof endStep>[2]): Next {
  return {
    ...next,
    commit: current => {
      endStep(session.ports, current, ended)
      next.commit?.(current)
    },
  }
}

/** What the person saw at the Apply gate; null when the profile passed it by itself. */
function approvedDigest(session: PlanSession, plan: Plan): string | null {
  // An older gate was about another change set.
  const key = phaseKey(session, plan, 'autoApply')
  const gate = session.ports.store.gates
    .listByPlan(plan.planId)
    .findLast(each => each.requestKey === key && each.status.kind === 'resolved')
  return gate?.subject.kind === 'phase' ? gate.subject.changesDigest : null
}

function wordsFor(report: ApplyReport): string {
  if (report.outcome === 'constrained') return `${report.conflicts.length} conflicts, nothing written`
  return `${report.written.length} ${report.written.length === 1 ? 'file' : 'files'} written`
}
