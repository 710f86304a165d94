/**
 * Steps of decisions that hold after a rollback, while the work of those steps does not. Nothing is answered from them,
 * and the children that they started end: the actor asks for them anew.
 */
import type { Decision } from '../../domain/decision/decision.ts'
import type { DecisionId, PlanId } from '../../domain/ids.ts'
import { type Checkpoint, SET_UP_PATH, type Step } from '../../domain/plan/journal.ts'
import { isFinal, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { readSpawn } from '../../domain/plan/spawn.ts'
import { cancelChildrenOf, childrenTouched, endSpawn } from '../children/touched.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'

/** Call it inside the transaction of the rollback to that checkpoint. */
export function takeStepsBack(ports: Ports, plan: Plan, { origin, decisionId, createdAt }: Checkpoint): void {
  if (origin.kind === 'safety') bringMomentBack(ports, plan, createdAt, origin.spawns)
  else if (decisionId !== null) beginAnew(ports, plan, decisionId)
}

function beginAnew(ports: Ports, plan: Plan, decisionId: DecisionId): void {
  cancelChildrenOf(ports, plan, [decisionId])
  for (const step of ports.store.steps.listByDecision(decisionId)) mark(ports, step)
}

/** What was done since leaves; what a later rollback took back, holds again. */
function bringMomentBack(ports: Ports, plan: Plan, at: string, spawns: readonly Step[]): void {
  const ending = spawnsSince(ports, plan.planId, at, spawns)
  for (const step of ending) endSpawn(ports, plan, step, TAKEN_BACK)
  const open = new Set(spawns.map(({ stepId }) => stepId))
  for (const step of ports.store.steps.listByPlan(plan.planId)) {
    if (open.has(step.stepId)) continue
    if (step.authorisedAt >= at) mark(ports, step)
    else unmark(ports, step, at)
  }
  for (const step of spawns) driveAgain(ports, plan, step)
}

function spawnsSince(ports: Ports, planId: PlanId, at: string, open: readonly Step[]): Step[] {
  return ports.store.steps
    .listByPlan(planId)
    .filter(({ kind, authorisedAt }) => kind === 'spawn' && authorisedAt >= at)
    .filter(({ stepId }) => !open.some(each => each.stepId === stepId))
}

/** The children that a rollback to a checkpoint cancels, with all below them. */
export function childrenEnded(
  ports: Ports,
  { planId, origin, decisionId, createdAt }: Checkpoint,
  superseded: readonly Decision[],
): Plan[] {
  const isSafety = origin.kind === 'safety'
  const gone = superseded.map(each => each.decisionId)
  const under = new Set(isSafety || decisionId === null ? gone : [...gone, decisionId])
  const steps = isSafety
    ? [
        ...spawnsSince(ports, planId, createdAt, origin.spawns),
        ...origin.spawns.filter(step => isLost(ports, step)),
      ]
    : []
  const started = steps.flatMap(step => readSpawn(step).children.map(child => child.planId))
  return childrenTouched(ports, planId, under, started)
    .map(({ plan }) => plan)
    .filter(({ position, appliesTo }) => appliesTo === 'parent' && !isFinal(position))
}

const TAKEN_BACK = 'the plan was rolled back to before it'

/** What was merged since is merged again. Nothing goes on from a child that was cancelled meanwhile. */
function driveAgain(ports: Ports, plan: Plan, then: Step): void {
  const lost = isLost(ports, then)
  ports.store.steps.update(then)
  if (!lost) return
  endSpawn(ports, plan, then, TAKEN_BACK)
  mark(ports, ports.store.steps.find(then.stepId) ?? then)
}

function isLost(ports: Ports, then: Step): boolean {
  return readSpawn(then).children.some(
    ({ part, planId }) =>
      (part === 'open' || part === 'merging') && stateOf(planOf(ports, planId).position) === 'cancelled',
  )
}

/** Set-up is no work of the plan, and what a person said stays said. */
const KINDS: ReadonlySet<Step['kind']> = new Set(['tool', 'validate', 'spawn'])

function mark(ports: Ports, step: Step): void {
  if (step.takenBackAt !== null || !KINDS.has(step.kind) || step.path === SET_UP_PATH) return
  ports.store.steps.update({ ...step, takenBackAt: ports.clock.now() })
}

function unmark(ports: Ports, step: Step, since: string): void {
  if (step.takenBackAt !== null && step.takenBackAt >= since)
    ports.store.steps.update({ ...step, takenBackAt: null })
}
