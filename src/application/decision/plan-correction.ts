import { type Affected, refusalToRevert, type Tier, tierOf } from '../../domain/decision/correction.ts'
import type { Decision } from '../../domain/decision/decision.ts'
import { openSpread } from '../../domain/decision/spread.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import type { Gate } from '../../domain/gate/gate.ts'
import type { DecisionId } from '../../domain/ids.ts'
import type { TouchedChild } from '../../domain/plan/child-fate.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { CancelledChild, Impact, RestoreGroups } from '../backend/correction.ts'
import { childrenTouched } from '../children/touched.ts'
import { sandboxFacts } from '../plan/sandbox-facts.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { effectsOutside, type RestoreTarget, restoreGroups } from '../rollback/restore-groups.ts'
import { askedAgain } from './answered-in-view.ts'
import { type PlannedLine, planKeptLine } from './plan-line.ts'

export interface PlannedCorrection extends PlannedLine {
  readonly target: Decision
  readonly affected: Affected
  /** The first decision that is taken again: the target, unless work of an earlier one cannot be kept either. */
  readonly resumeAt: Decision
  /** Below the affected decisions, and still to be cancelled. */
  readonly children: readonly TouchedChild[]
  readonly impact: Impact
}

/** What a revert of this decision would do, before anything is touched. Refuses where it must not happen at all. */
export async function planCorrection(
  session: PlanSession,
  plan: Plan,
  target: Decision,
): Promise<Result<PlannedCorrection>> {
  const { ports, planId } = session
  const refusal = refusalToRevert(target, plan.position)
  if (refusal) return refuse('invalid_state', refusal, { decision_id: target.decisionId })
  const cursor = ports.store.cursors.get(planId)
  if (!cursor)
    return refuse('invalid_state', 'The plan has not begun; there is nothing to revert.', { planId })
  const tier = tierOfSandbox(ports, plan)
  if (tier !== 'full' && cursor.phase === 'execute')
    return refuse('not_available', `${cannotGoBack[tier]} Add to it with --mode append.`, {
      decision_id: target.decisionId,
      tier,
    })
  const decisions = ports.store.decisions.listByPlan(planId)
  const spread = openSpread(decisions, ports.store.decisions.web(planId))
  spread.add(target.decisionId, 'the decision being corrected')
  const planned = await planKeptLine(session, cursor, spread)
  if (!planned.ok) return planned
  const affected = spread.affected()
  const ids = new Set(affected.decisions.map(({ decision }) => decision.decisionId))
  const touched = childrenTouched(ports, planId, ids, affected.plans)
  const applied = touched.find(({ fate }) => fate === 'forbids')
  if (applied) return refuseFor(applied.plan)
  const children = touched.filter(({ fate }) => fate === 'cancelled')
  const impact = await impactOf(
    session,
    { plan, cursor, target, decisions, affected, ids, children },
    planned.value,
  )
  if (!impact.ok) return impact
  const resumeAt = firstReached(affected) ?? target
  return { ok: true, value: { ...planned.value, target, affected, resumeAt, children, impact: impact.value } }
}

const cannotGoBack = {
  none: 'Without a sandbox nothing that the plan wrote can be taken back.',
  phase: 'The sandbox of this plan keeps no states to return to.',
} as const

function refuseFor(child: Plan) {
  return refuse(
    'invalid_state',
    `The child plan ${child.name} is in your files already, and a correction never takes back what was applied. Correct that plan, or add to this one with --mode append.`,
    { plan_id: child.planId, plan: child.name },
  )
}

/** Of what no longer holds, what the actor decided first. */
export function firstReached({ decisions }: Affected): Decision | null {
  const reached = decisions
    .map(({ decision }) => decision)
    .filter(({ key, standing }) => key !== null && standing.actorStateRef !== null)
  return reached.toSorted((one, other) => one.standing.place - other.standing.place)[0] ?? null
}

interface Subject {
  readonly plan: Plan
  readonly cursor: Cursor
  readonly target: Decision
  readonly decisions: readonly Decision[]
  readonly affected: Affected
  readonly ids: ReadonlySet<DecisionId>
  readonly children: readonly TouchedChild[]
}

async function impactOf(
  session: PlanSession,
  { plan, cursor, target, decisions, affected, ids, children }: Subject,
  { goal }: PlannedLine,
): Promise<Result<Impact>> {
  const { ports } = session
  const groups = await groupsFor(session, plan, cursor, { state: goal.state, since: target.createdAt })
  if (!groups.ok) return groups
  const steps = [...ids].flatMap(decisionId => ports.store.steps.listByDecision(decisionId))
  const effects = await effectsOutside(ports, steps)
  const tier = tierOfSandbox(ports, plan)
  const kept = decisions.filter(each => isActive(each) && each.key !== null && !ids.has(each.decisionId))
  const impact: Omit<Impact, 'digest'> = {
    decisions: affected.decisions.map(({ decision, why }) => mention(decision, why)),
    plans: children.map(({ plan }) => cancelledChild(plan)),
    ...groups.value,
    kept: kept.map(each => each.decisionId),
    tier,
    warnings: [],
    gatesAgain: questionsAgain(ports, { plan, target, affected, kept }),
    irreversible: effects.map(({ what, why }) => `${what}: ${why}`),
  }
  const digest = ports.digest(JSON.stringify([plan.planId, plan.attempt, target.decisionId, goal, impact]))
  return { ok: true, value: { ...impact, digest } }
}

/** Before Execute nothing is written. */
async function groupsFor(
  session: PlanSession,
  plan: Plan,
  cursor: Cursor,
  to: RestoreTarget,
): Promise<Result<RestoreGroups>> {
  if (cursor.phase === 'strategize' && to.state === cursor.sandboxState)
    return { ok: true, value: { restored: [], leftAlone: [], cannotRestore: [] } }
  return restoreGroups(session, plan, cursor, to)
}

type Questioned = Pick<Subject, 'plan' | 'target' | 'affected'> & { readonly kept: readonly Decision[] }

/** What people answered and will be asked anew. */
function questionsAgain(ports: Ports, { plan, target, affected, kept }: Questioned): string[] {
  const { decisions } = affected
  const keys = new Set(
    decisions
      .flatMap(({ decision }) => ports.store.steps.listByDecision(decision.decisionId))
      .map(step => step.idempotencyKey),
  )
  const answered = ports.store.gates
    .listByPlan(plan.planId)
    .filter(({ status }) => status.kind === 'resolved')
  const strategy = answered.findLast(
    ({ automation, kind }) => kind === 'phase' && automation === 'autoExecute',
  )
  return [
    ...decisions
      .filter(({ decision }) => decision.decidedBy === 'human' && decision.key !== null)
      .map(({ decision }) => decision.question),
    ...new Set(answered.filter(gate => keys.has(stepOfGate(gate))).map(({ question }) => question)),
    ...kept
      .filter(each => each.standing.place > target.standing.place)
      .flatMap(each => askedAgain(ports, each, decisions)),
    ...(strategy && target.phase === 'strategize' ? [strategy.question] : []),
  ]
}

/** A step may have been asked about more than once: by itself, for the network, or for the children that it starts. */
function stepOfGate({ requestKey }: Gate): string {
  return requestKey.replace(/:(?:approval|network|children)$/, '')
}

function tierOfSandbox(ports: Ports, plan: Plan): Tier {
  const { restores, place } = sandboxFacts(ports, plan)
  return tierOf({ checkpoints: restores !== 'never', sandboxed: place === 'beside' })
}

export function mention(decision: Decision, why: string) {
  return { decisionId: decision.decisionId, number: decision.number, question: decision.question, why }
}

export function cancelledChild({ planId, name, position }: Plan): CancelledChild {
  return { planId, name, position, becomes: 'cancelled' }
}
