import type { Failure, Result } from '../../domain/failure.ts'
import { asId, type PlanId } from '../../domain/ids.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { recordWrites } from '../decision/record-writes.ts'
import type { Ports } from '../ports.ts'
import { relayOutput } from './relay-output.ts'
import type { PlanSession } from './session.ts'

export interface StepWanted {
  readonly path: string
  readonly kind: Step['kind']
  readonly tool: string | null
  readonly input: Readonly<Record<string, unknown>>
  readonly readOnly: boolean
  readonly idempotencyKey: string
}

/** The row of a step that may run: made once, however often it is asked for. Call it inside a transaction. */
export function authoriseStep(
  ports: Ports,
  plan: Plan,
  cursor: Pick<Cursor, 'decisionId' | 'phase'>,
  wanted: StepWanted,
): Step {
  const found = ports.store.steps.findByKey(wanted.idempotencyKey)
  if (found) return found
  const step: Step = {
    stepId: asId(ports.newId()),
    planId: plan.planId,
    attempt: plan.attempt,
    phase: wanted.kind === 'apply' ? 'apply' : cursor.phase,
    decisionId: cursor.decisionId,
    status: 'authorised',
    outcome: null,
    summary: '',
    read: [],
    written: [],
    authorisedAt: ports.clock.now(),
    startedAt: null,
    endedAt: null,
    takenBackAt: null,
    ...wanted,
  }
  ports.store.steps.insert(step)
  return step
}

/** Records that a step began, runs it, and returns what came of it; the caller records the outcome with its own move. */
export async function runStep<Outcome>(
  session: PlanSession,
  plan: Plan,
  authorised: Step,
  work: (onOutput: (text: string) => void) => Promise<Result<Outcome>>,
): Promise<{ readonly step: Step; readonly result: Result<Outcome> }> {
  const { ports, signal } = session
  const step: Step = { ...authorised, status: 'started', startedAt: ports.clock.now(), endedAt: null }
  ports.store.transaction(() => {
    ports.store.steps.update(step)
    ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'STEP_STARTED', step })
  })
  const of = step.kind === 'model' ? 'model' : 'command'
  const relay = relayOutput(ports, plan, { stepId: step.stepId, of })
  try {
    const result = await work(relay.write)
    return { step, result }
  } catch (error) {
    if (!signal.aborted) throw error
    return { step, result: { ok: false, failure: interruptedBy(error) } }
  } finally {
    relay.flush()
  }
}

/** Call it inside a transaction. */
export function endStep(ports: Ports, plan: Plan, ended: Step): void {
  const step: Step = { ...ended, endedAt: ports.clock.now() }
  ports.store.steps.update(step)
  recordWrites(ports, step)
  recordMet(ports, plan, step)
  ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'STEP_FINISHED', step })
}

/** The files that a tool read or wrote. What only lies in a state, as after a restore, nobody has looked at. */
function recordMet({ store }: Ports, plan: Plan, { kind, read, written }: Step): void {
  if (kind !== 'tool') return
  const paths = [read, written].flatMap(each => (each === 'unknown' ? [] : each))
  store.metPaths.add(plan.project.name, plan.rootPlanId, paths)
}

/** Whoever sets a plan going again allows the step that its stop cut short: it need not be asked about. */
export function allowCutStep(ports: Ports, planId: PlanId): void {
  const last = ports.store.steps.last(planId)
  if (last?.status === 'interrupted') allowAgain(ports, last)
}

/** A step that was cut short runs again; its partial work is undone first. */
export function allowAgain(ports: Ports, cut: Step): void {
  ports.store.steps.update({ ...cut, status: 'authorised', endedAt: null })
}

function interruptedBy(error: unknown): Failure {
  return { code: 'interrupted', message: 'The step was interrupted.', facts: { cause: String(error) } }
}
