import { asId } from '../../domain/ids.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { type ChangeSet, countChanges } from '../../domain/sandbox/changeset.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import { addWork } from '../decision/line-of-work.ts'
import { recordDirectly, rootOf } from '../decision/record-decision.ts'
import { savePlan } from '../plan/change-plan.ts'
import { endStep } from '../plan/journal-step.ts'
import type { Ports } from '../ports.ts'
import { insertSafetyCheckpoint } from '../rollback/safety-checkpoint.ts'
import { namesOf } from './settled-drift.ts'

/** Work of a person that becomes part of the plan. */
export interface Adoption {
  readonly question: string
  readonly label: string
  readonly note: string | null
  readonly decidedBy: 'human' | 'profile'
  readonly paths: readonly RelPath[]
  /** Where the plan stood, on the state without that work. */
  readonly before: Cursor
  /** With it. */
  readonly after: Cursor
  readonly changes: ChangeSet
  /** Of the whole plan, with it. */
  readonly whole: ChangeSet
}

/**
 * A decision of that person with its files: going back before it is possible, and what is read later rests on it. Call
 * it inside a transaction.
 */
export function recordAdoption(ports: Ports, plan: Plan, adoption: Adoption): void {
  const { before, after, paths, note } = adoption
  const counts = countChanges(adoption.changes.files)
  const label = `before ${namesOf(paths.map(path => ({ path })))} became part of the plan`
  const safety = insertSafetyCheckpoint(ports, plan, before, label)
  const decision = recordDirectly(ports, plan, {
    type: 'user_intervention',
    phase: before.phase,
    question: adoption.question,
    chosenOption: { id: 'adopt', label: adoption.label, rationale: null },
    rationale: note ?? `files: ${paths.join(', ')}`,
    parentDecisionId: rootOf(ports, plan),
    decidedBy: adoption.decidedBy,
    checkpointId: safety.checkpointId,
  })
  ports.store.decisions.setChanges(decision.decisionId, counts)
  const { decisionId } = decision
  ports.store.events.append(plan.planId, plan.rootPlanId, {
    type: 'DECISION_WORK_DONE',
    decisionId,
    changes: counts,
  })
  const now = ports.clock.now()
  const step: Step = {
    stepId: asId(ports.newId()),
    planId: plan.planId,
    attempt: plan.attempt,
    phase: before.phase,
    path: 'adopt',
    kind: 'adopt',
    tool: null,
    input: { from: before.sandboxState, to: after.sandboxState },
    readOnly: false,
    decisionId,
    idempotencyKey: `${plan.planId}:adopt:${decisionId}`,
    status: 'started',
    outcome: null,
    summary: `${counts.files} ${counts.files === 1 ? 'file' : 'files'} changed by hand became part of the plan`,
    read: [],
    written: paths,
    authorisedAt: now,
    startedAt: now,
    endedAt: null,
    takenBackAt: null,
  }
  ports.store.steps.insert(step)
  endStep(ports, plan, { ...step, status: 'done' })
  ports.store.cursors.put(after)
  addWork(ports, before.sandboxState, { ...after, decisionId })
  // What was applied of the plan before is among the edits that came in.
  const isNewBase = plan.appliedState !== null && after.base !== before.base
  const appliedState = isNewBase ? after.base : plan.appliedState
  const notices = [...plan.notices, ...(adoption.decidedBy === 'profile' ? [noticeOf(adoption)] : [])]
  savePlan(ports, { ...plan, appliedState, notices, changes: countChanges(adoption.whole.files) })
}

function noticeOf({ paths }: Adoption): string {
  const names = namesOf(paths.map(path => ({ path })))
  return `${names} changed in the sandbox by hand and became part of the plan.`
}
