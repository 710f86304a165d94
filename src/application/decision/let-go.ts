/**
 * A decision that was kept through a correction turns out not to hold as it was: it is superseded with everything that
 * depends on it, and its work leaves the sandbox. The actor decides again from the first of them that it had come to.
 */

import type { Decision } from '../../domain/decision/decision.ts'
import { openSpread } from '../../domain/decision/spread.ts'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { DecisionId } from '../../domain/ids.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { childrenTouched } from '../children/touched.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { savePlan } from '../plan/change-plan.ts'
import { type Next, stay } from '../plan/next.ts'
import type { PlanSession } from '../plan/session.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import { planOf } from '../references.ts'
import {
  type BegunRestore,
  beginRestore,
  endRestore,
  failRestore,
  performRestore,
  type Restored,
} from '../rollback/journalled-restore.ts'
import { restoreGroups } from '../rollback/restore-groups.ts'
import { takeLine } from './line-of-work.ts'
import { firstReached } from './plan-correction.ts'
import { type PlannedLine, planKeptLine } from './plan-line.ts'
import { supersede } from './supersede.ts'
import { recordWork } from './take-checkpoint.ts'

export interface LetGo {
  readonly decisionId: DecisionId
  readonly why: string
}

/** What the actor waits for is settled anew afterwards, unless it must decide again. */
export async function letGo(turn: Turn, those: readonly LetGo[]): Promise<Next> {
  const done = await takeOut(turn, those)
  if (done.ok) return done.value
  if (turn.session.signal.aborted) return stay
  return askAboutFailure(turn.session, requestKey(turn), 'Taking back what was kept', done.failure)
}

async function takeOut({ session, cursor: before }: Turn, those: readonly LetGo[]): Promise<Result<Next>> {
  const { ports, planId } = session
  const recorded = await recordWork(session, before, 'before what was kept is taken back')
  if (!recorded.ok) return recorded
  const { cursor } = recorded.value
  const { decisions } = ports.store
  const spread = openSpread(decisions.listByPlan(planId), decisions.web(planId))
  for (const { decisionId, why } of those) spread.add(decisionId, why)
  const planned = await planKeptLine(session, cursor, spread)
  if (!planned.ok) return planned
  const affected = spread.affected()
  const again = firstReached(affected)
  if (again && again.phase !== cursor.phase) return refuseFor(again)
  const ids = new Set(affected.decisions.map(({ decision }) => decision.decisionId))
  const children = childrenTouched(ports, planId, ids, affected.plans)
  const applied = children.find(({ fate }) => fate === 'forbids')
  if (applied) return refuse('invalid_state', `The child plan ${applied.plan.name} is in your files already.`)
  const restored = await bringBack(session, cursor, planned.value, nameOf(affected.decisions[0]?.decision))
  if (!restored.ok) return restored
  return ok({
    event: null,
    commit: plan => {
      supersede(ports, plan, affected.decisions, {
        reason: cursor.correction ? 'correction' : 'revision',
        supersededBy: null,
        correctionId: cursor.correction?.correctionId ?? null,
      })
      takeLine(ports, planId, planned.value.line)
      if (again) ports.store.decisions.keepAfter(planId, again.standing.place)
      ports.store.cursors.put(goneBack(session, cursor, planned.value, again))
      end(session, plan, restored.value)
    },
  })
}

function refuseFor({ number, question }: Decision) {
  return refuse(
    'conflict',
    `What was kept cannot be taken back without #${number} ${question}. Correct that one.`,
  )
}

function nameOf(decision: Decision | undefined): string {
  return `taking back what was kept of #${decision?.number} ${decision?.question}`
}

interface BroughtBack {
  readonly begun: BegunRestore
  readonly restored: Restored
}

/** Null where nothing was written under them. */
async function bringBack(
  session: PlanSession,
  cursor: Cursor,
  { goal }: PlannedLine,
  what: string,
): Promise<Result<BroughtBack | null>> {
  const { ports, planId } = session
  if (goal.state === cursor.sandboxState) return ok(null)
  const since = ports.clock.now()
  const groups = await restoreGroups(session, planOf(ports, planId), cursor, { state: goal.state, since })
  if (!groups.ok) return groups
  const begun = await beginRestore(
    session,
    cursor,
    { what, groups: groups.value, part: 'consequence' },
    each => each,
  )
  if (!begun.ok) return begun
  const restored = await performRestore(session, begun.value, goal)
  if (restored.ok) return ok({ begun: begun.value, restored: restored.value })
  ports.store.transaction(() => failRestore(ports, begun.value.step, restored.failure))
  return restored
}

/** Without work to take back the pending request is simply settled anew; else from the first that is decided again. */
function goneBack(
  { ports, planId }: PlanSession,
  cursor: Cursor,
  { goal }: PlannedLine,
  again: Decision | null,
): Cursor {
  const back = { ...cursor, sandboxState: goal.state, base: goal.base, written: [] }
  if (!again?.standing.actorStateRef) return back
  const { actorStateRef, place } = again.standing
  return {
    ...back,
    stateRef: actorStateRef,
    pending: null,
    outcome: { kind: 'none' },
    decisionId: ports.store.decisions.findReachedBefore(planId, place)?.decisionId ?? null,
    underKept: false,
  }
}

function end({ ports }: PlanSession, plan: Plan, brought: BroughtBack | null): void {
  if (!brought) return
  endRestore(ports, plan, brought.begun.step, brought.restored)
  savePlan(ports, { ...plan, changes: brought.restored.changes })
}
