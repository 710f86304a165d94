/** What a person does to a plan as a whole: cancel, pause, resume, interrupt, guide, or pass a phase by name. */
import { type Result, refuse } from '../../domain/failure.ts'
import { type ChosenPart, type Gate, isPhaseQuestion } from '../../domain/gate/gate.ts'
import { phaseOf, positionWords, stateOf } from '../../domain/plan/lifecycle.ts'
import { appliedPart, type Plan } from '../../domain/plan/plan.ts'
import { recordGuidance } from '../decision/record-guidance.ts'
import { answerGate } from '../gate/answer-gate.ts'
import type { PlanOwner } from '../plan-owner.ts'
import type { Ports } from '../ports.ts'
import { findPlan, planOf } from '../references.ts'
import { cutRestore } from '../rollback/cut-restore.ts'
import { askToResume } from './ask-to-resume.ts'
import { changePlan, savePlan } from './change-plan.ts'
import { allowCutStep } from './journal-step.ts'
import { livingHolder } from './lease.ts'
import { pausePlanNow } from './take-over.ts'

/**
 * Harmless when repeated. The owner notices the move and ends the running step with its whole process group. While the
 * files are being written a plan is not cancelled: it would be on record as cancelled with its changes in place. Nor is
 * it while its sandbox goes back: whoever does that would find it ended.
 */
export function cancelPlan(ports: Ports, planRef: string, reason: string | null): Result<Plan> {
  return ports.store.transaction(() => {
    const plan = findPlan(ports, planRef)
    if (!plan.ok || stateOf(plan.value.position) === 'cancelled') return plan
    for (const each of [plan.value, ...ports.store.plans.listDescendants(plan.value.planId)]) {
      const busy = livingHolder(ports, each.planId) ? busyWith(ports, each) : null
      if (busy === null) continue
      const message = `Plan ${each.name} is being ${busy}; that takes a moment. Look at it again.`
      return refuse('invalid_state', message, { plan_id: each.planId })
    }
    // What was applied stays, and must not look unapplied.
    const stays = appliedPart(plan.value) === 'nothing' ? '' : '; a part is applied and stays in your files'
    return changePlan(ports, plan.value, { event: 'cancelled', reason: `${reason ?? 'cancelled'}${stays}` })
  })
}

function busyWith(ports: Ports, { planId, position }: Plan): string | null {
  if (position === 'apply/running') return 'applied'
  return cutRestore(ports, planId) ? 'corrected or rolled back' : null
}

/** Takes effect when the running step has ended. */
export async function pausePlan(ports: Ports, owner: PlanOwner, planRef: string): Promise<Result<Plan>> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok || stateOf(plan.value.position) === 'paused') return plan
  return owner.exclusively(plan.value.planId, 'after_step', async () => {
    pausePlanNow(ports, plan.value.planId, 'paused')
    const after = planOf(ports, plan.value.planId)
    if (stateOf(after.position) === 'paused') return { ok: true, value: after }
    return refuse(
      'invalid_state',
      `Plan ${after.name} is ${positionWords(after.position)}; there is nothing to pause.`,
      {
        position: after.position,
      },
    )
  })
}

export function resumePlan(ports: Ports, planRef: string): Result<Plan> {
  return ports.store.transaction(() => {
    const plan = findPlan(ports, planRef)
    if (!plan.ok) return plan
    if (['awaiting_input', 'constrained'].includes(stateOf(plan.value.position))) {
      return refuse('gate_waits', `Plan ${plan.value.name} waits for an answer, not for a resume.`, {
        plan_id: plan.value.planId,
      })
    }
    if (['running', 'queued', 'complete'].includes(stateOf(plan.value.position))) return plan
    allowCutStep(ports, plan.value.planId)
    return changePlan(ports, plan.value, { event: 'resumed' })
  })
}

/** Aborts the running step at once; the plan then asks how to go on, whatever its profile says. */
export async function interruptPlan(ports: Ports, owner: PlanOwner, planRef: string): Promise<Result<Plan>> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  return owner.exclusively(plan.value.planId, 'now', async () => {
    const asked = askToResume(ports, plan.value.planId)
    // Between two phases nothing is under way that could be asked about.
    pausePlanNow(ports, asked.planId, 'interrupted; resume the plan to go on')
    return { ok: true, value: planOf(ports, asked.planId) }
  })
}

/** Guidance is part of the record and reaches the actor with its next brief. */
export function promptPlan(ports: Ports, planRef: string, guidance: string, by: string): Result<Plan> {
  return ports.store.transaction(() => {
    const plan = findPlan(ports, planRef)
    if (!plan.ok) return plan
    const phase = phaseOf(plan.value.position)
    if (['applied', 'cancelled', 'paused'].includes(stateOf(plan.value.position)) || phase === 'action') {
      return refuse(
        'invalid_state',
        `Plan ${plan.value.name} is ${positionWords(plan.value.position)}; it takes no guidance now.`,
      )
    }
    recordGuidance(ports, plan.value, {
      phase: phase === 'strategize' ? 'strategize' : 'execute',
      question: 'Guidance',
      rationale: `given by ${by}`,
      words: guidance,
    })
    const guided: Plan = {
      ...plan.value,
      guidance: [...plan.value.guidance, guidance],
      updatedAt: ports.clock.now(),
    }
    savePlan(ports, guided)
    return { ok: true, value: guided }
  })
}

interface PassPhase {
  readonly planRef: string
  readonly phase: 'execute' | 'apply'
  readonly digest: string | null
  /** Of the changes, where the phase is Apply. */
  readonly part: ChosenPart | null
  readonly by: string
}

/** `plan execute` and `plan apply` are the answer yes to exactly that phase's gate, or to the conflict that Apply met. */
export function passPhase(ports: Ports, input: PassPhase): Result<Plan> {
  const plan = findPlan(ports, input.planRef)
  if (!plan.ok) return plan
  // Applying again changes nothing; whoever asked learns where the plan stands.
  if (input.phase === 'apply' && stateOf(plan.value.position) === 'applied') return plan
  const gate = gateBefore(ports, plan.value, input.phase)
  if (!gate) {
    const hint = hintFor(ports, plan.value)
    return refuse(
      'invalid_state',
      `Plan ${plan.value.name} is ${positionWords(plan.value.position)}; no gate before ${input.phase} waits.${hint}`,
      {
        position: plan.value.position,
      },
    )
  }
  const { part, digest, by } = input
  return answerGate(ports, {
    planRef: plan.value.planId,
    gateRef: gate.gateId,
    digest,
    confirmWord: null,
    by,
    answer: { decision: 'approve', optionId: null, note: null, guidance: null, part, grant: 'once' },
  })
}

function gateBefore(ports: Ports, plan: Plan, phase: PassPhase['phase']): Gate | undefined {
  const target = phase === 'execute' ? ['autoStrategize', 'autoExecute'] : ['autoApply']
  return ports.store.gates
    .listOpen(plan.planId)
    .find(
      open =>
        (isPhaseQuestion(open) && target.includes(open.automation ?? '')) ||
        (open.kind === 'constrained' && phase === 'apply'),
    )
}

/** What to do before the next phase can be passed. */
function hintFor({ store }: Ports, { planId, position }: Plan): string {
  if (stateOf(position) === 'paused') return ' Resume it first.'
  const waiting = store.gates.listOpen(planId)[0]
  return waiting ? ` It waits for an answer to: ${waiting.question}` : ''
}
