/**
 * An Apply whose process ended while it wrote into the user's files. Nothing else is done to such a plan before a
 * person has said whether it is finished or undone; what is written and what waits stands in the question.
 */
import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { Verdict } from '../../domain/gate/confidence.ts'
import type { GateOption } from '../../domain/gate/gate.ts'
import { type PlanId, shortId } from '../../domain/ids.ts'
import { isFinal, phaseOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { UnfinishedApply } from '../../domain/sandbox/strategy.ts'
import { answerTo } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { openGate, type Question } from '../gate/open-gate.ts'
import { changePlan } from '../plan/change-plan.ts'
import { livingHolder } from '../plan/lease.ts'
import { type PlanSession, withSession } from '../plan/session.ts'
import { pausePlanNow } from '../plan/take-over.ts'
import type { Ports } from '../ports.ts'
import { findDecision, findPlan, planOf } from '../references.ts'

export interface WayToSettle {
  readonly way: 'finish' | 'undo'
  /** Null: a person said so. */
  readonly verdict: Verdict | null
}

/** What a person said, or the profile where it applies by itself; null when it is to be asked. */
export function wayToSettle(
  { ports }: PlanSession,
  plan: Plan,
  unfinished: UnfinishedApply,
): WayToSettle | null {
  const answer = answerTo(ports, plan, keyOf(plan, unfinished))
  if (answer?.decision === 'approve')
    return { way: unfinished.undoing || answer.optionId === 'undo' ? 'undo' : 'finish', verdict: null }
  const verdict = judgeSettling(ports, plan)
  if (answer || !verdict.passes) return null
  return { way: unfinished.undoing ? 'undo' : 'finish', verdict }
}

export function cutApplyQuestion(plan: Plan, unfinished: UnfinishedApply): Question {
  const { written, waiting, undoing } = unfinished
  const counts = `${written.length} of ${written.length + waiting.length} files`
  return {
    kind: 'resume',
    requestKey: keyOf(plan, unfinished),
    question: undoing
      ? `Undoing an interrupted Apply was interrupted: ${counts} still have the plan's changes. Go on?`
      : `Apply was interrupted: ${counts} were written. Finish it, or undo it?`,
    subject: { kind: 'unfinished_apply', folder: plan.project.root, written, waiting },
    options: undoing ? [UNDO] : [FINISH, UNDO],
    reason: 'your files have only a part of what was approved',
    confidence: null,
  }
}

const FINISH: GateOption = {
  id: 'finish',
  label: 'Finish it',
  description: 'Writes what waits. What you changed in the meantime is left as it is.',
  effect: 'approve',
}
const UNDO: GateOption = {
  id: 'undo',
  label: 'Undo it',
  description: 'Puts back what was written. What you changed in the meantime is left as it is.',
  effect: 'approve',
}

/** A person may be asked more than once about one Apply, but about each half of it only once. */
function keyOf({ attempt }: Plan, { startedAt, undoing }: UnfinishedApply): string {
  return `${attempt}:apply:${startedAt}:${undoing ? 'undo' : 'apply'}:resume`
}

/** For a process that only looks: opens the question. Where nothing was written the plan pauses like any other. */
export async function askAboutCutApply(session: PlanSession): Promise<Result<void>> {
  const { ports, planId } = session
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const unfinished = await sandbox.value.unfinishedApply()
  ports.store.transaction(() => {
    const plan = planOf(ports, planId)
    if (!unfinished || judgeSettling(ports, plan).passes)
      return pausePlanNow(ports, planId, 'the program that ran it ended; resume the plan to go on')
    const question = cutApplyQuestion(plan, unfinished)
    const waiting = changePlan(ports, plan, { event: 'waits', reason: question.question })
    if (waiting.ok) openGate(ports, waiting.value, question)
  })
  return ok()
}

/** A profile that writes into the user's files by itself may also bring that to its end. */
function judgeSettling(ports: Ports, plan: Plan): Verdict {
  return judgeOperation(ports, plan, { gate: 'autoApply', decisionType: 'error_recovery', stated: null })
}

/** Half an Apply must not be cancelled, corrected or rolled back: it would look whole, or undone. Null when there is none. */
export async function refusalWhileCut(
  ports: Ports,
  planRef: string | null,
  decisionRef: string | null = null,
): Promise<Result<never> | null> {
  const plan = planNamed(ports, planRef, decisionRef)
  if (!plan || phaseOf(plan.position) !== 'apply' || isFinal(plan.position)) return null
  if (livingHolder(ports, plan.planId)) return null
  const looked = await withSession(ports, plan, async session => {
    const sandbox = await session.sandbox()
    return sandbox.ok ? ok(await sandbox.value.unfinishedApply()) : ok(null)
  })
  return looked.ok && looked.value ? refuseWhileCut(ports, plan) : null
}

/** A reference that names nothing, or too much, is refused by whoever acts on it. */
function planNamed(ports: Ports, planRef: string | null, decisionRef: string | null): Plan | null {
  const named = planRef === null ? null : findPlan(ports, planRef)
  if (named?.ok || decisionRef === null) return named?.ok ? named.value : null
  const decision = findDecision(ports, decisionRef, null)
  return decision.ok ? planOf(ports, decision.value.planId) : null
}

function refuseWhileCut(ports: Ports, { planId, name }: Plan) {
  const isAsked = ports.store.gates
    .listOpen(planId)
    .some(({ subject }) => subject.kind === 'unfinished_apply')
  return refuse(
    'invalid_state',
    `Apply of plan ${name} was interrupted while it wrote into your files. First ${whatToDo(planId, isAsked)}.`,
    { plan_id: planId },
  )
}

function whatToDo(planId: PlanId, isAsked: boolean): string {
  const id = shortId(planId)
  return isAsked
    ? `finish or undo it: agents plan approve ${id} --option finish, or --option undo`
    : `go on with it, to be asked how: agents plan resume ${id}`
}
