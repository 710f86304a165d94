/**
 * Steps of decisions that hold after a rollback, while the work of those steps does not. Nothing is answered from them,
 * and the children that they started end: the actor asks for them anew.
 */
import type { DecisionId } from '../../domain/ids.ts'
import { type Checkpoint, SET_UP_PATH, type Step } from '../../domain/plan/journal.ts'
import { stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { readSpawn } from '../../domain/plan/spawn.ts'
import { cancelChildrenOf, endSpawn } from '../children/touched.ts'
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
  const open = new Set(spawns.map(({ stepId }) => stepId))
  for (const step of ports.store.steps.listByPlan(plan.planId)) {
    if (open.has(step.stepId)) continue
    if (step.authorisedAt < at) unmark(ports, step, at)
    else if (step.kind === 'spawn') endSpawn(ports, plan, step, TAKEN_BACK)
  }
  for (const step of ports.store.steps.listByPlan(plan.planId))
    if (!open.has(step.stepId) && step.authorisedAt >= at) mark(ports, step)
  for (const step of spawns) driveAgain(ports, plan, step)
}

const TAKEN_BACK = 'the plan was rolled back to before it'

/** What was merged since is merged again. Nothing goes on from a child that was cancelled meanwhile. */
function driveAgain(ports: Ports, plan: Plan, then: Step): void {
  const isLost = readSpawn(then).children.some(
    ({ part, planId }) =>
      (part === 'open' || part === 'merging') && stateOf(planOf(ports, planId).position) === 'cancelled',
  )
  ports.store.steps.update(then)
  if (!isLost) return
  endSpawn(ports, plan, then, TAKEN_BACK)
  mark(ports, ports.store.steps.find(then.stepId) ?? then)
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
