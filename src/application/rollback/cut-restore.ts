import type { CheckpointId, PlanId } from '../../domain/ids.ts'
import type { Step } from '../../domain/plan/journal.ts'
import { phaseOf, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { setGoing } from '../children/set-going.ts'
import { openGate } from '../gate/open-gate.ts'
import { changePlan, savePlan } from '../plan/change-plan.ts'
import { endStep } from '../plan/journal-step.ts'
import { resumeQuestion } from '../plan/resume-gate.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { failRestore, scopeOf } from './journalled-restore.ts'

/** A restore that began and has no end: its process died in the middle. */
export function cutRestore(ports: Ports, planId: PlanId): Step | null {
  const last = ports.store.steps.last(planId)
  return last?.kind === 'restore' && last.status === 'started' ? last : null
}

/** Returns to the state before a restore that was cut short, and says so. Harmless when it is cut short itself. */
export async function undoCutRestore(session: PlanSession): Promise<void> {
  const { ports, planId } = session
  const step = cutRestore(ports, planId)
  if (!step) return
  const safety = ports.store.checkpoints.find(step.input['safety_checkpoint_id'] as CheckpointId) // written by beginRestore
  const sandbox = await session.sandbox()
  const back = sandbox.ok && safety ? await sandbox.value.restore(safety.state, scopeOf(step)) : sandbox
  // Whoever has the plan next does it again.
  if (session.signal.aborted) return
  ports.store.transaction(() => {
    failCorrections(ports, planId)
    if (!back.ok) return failRestore(ports, step, back.failure)
    const summary = `${step.input['what']} was cut short; the sandbox is as it was before it.`
    const plan = planOf(ports, planId)
    endStep(ports, plan, { ...step, status: 'interrupted', summary })
    tell(ports, plan, summary)
  })
  setGoing(session)
}

/** A plan that ran asks how to go on; one that waits anyway says it among its notices. */
function tell(ports: Ports, plan: Plan, summary: string): void {
  const words = `${summary[0]?.toUpperCase()}${summary.slice(1)}`
  if (stateOf(plan.position) !== 'running') {
    savePlan(ports, { ...plan, notices: [...plan.notices, words] })
    return
  }
  const waiting = changePlan(ports, plan, { event: 'waits', reason: words })
  if (!waiting.ok) throw new Error(waiting.failure.message)
  const key = `${plan.planId}:${plan.attempt}:${phaseOf(plan.position)}:cut-restore`
  openGate(ports, waiting.value, { ...resumeQuestion(key, null), question: `${words} Go on?` })
}

function failCorrections(ports: Ports, planId: PlanId): void {
  const plan = planOf(ports, planId)
  for (const running of ports.store.corrections.listByPlan(planId)) {
    if (running.status !== 'running') continue
    const correction = {
      ...running,
      status: 'failed' as const,
      failure: 'cut short; the sandbox is as it was before',
      endedAt: ports.clock.now(),
    }
    ports.store.corrections.put(correction)
    ports.store.events.append(planId, plan.rootPlanId, { type: 'CORRECTION_FINISHED', correction })
  }
}
