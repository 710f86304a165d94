/**
 * What the log of a family of plans shows about leave: for everything in it that a gate stands before, who let it
 * happen. It reads events alone, and compares numbers with the plan's profile by itself.
 */
import type { PlanEvent } from '../../src/application/events.ts'
import type { Decision, GateConfidence } from '../../src/domain/decision/decision.ts'
import type { AutomationGate } from '../../src/domain/gate/automation.ts'
import type { Gate } from '../../src/domain/gate/gate.ts'
import type { Step } from '../../src/domain/plan/journal.ts'
import type { Plan } from '../../src/domain/plan/plan.ts'

/** An answer as it was sent and taken. */
export interface SentAnswer {
  readonly gateId: string
  readonly digest: string
  readonly decision: 'approve' | 'reject' | 'request_changes'
  readonly grant: 'once' | 'plan'
}

/** Everything that happened without leave, in words; empty when nothing did. */
export function withoutLeave(events: readonly PlanEvent[], sent: readonly SentAnswer[]): string[] {
  const found: string[] = []
  const plans = new Map<string, Plan>()
  for (const [at, event] of events.entries()) {
    const { body } = event
    const before = plans.get(event.planId)
    const say = (what: string) => found.push(`#${event.seq} ${before?.name ?? event.planId}: ${what}`)
    const around: Surroundings = { events, at, plan: before }
    switch (body.type) {
      case 'GATE_RESOLVED':
        if (!wasSent(body.gate, sent)) say(`gate "${body.gate.question}" was answered by nobody`)
        break
      case 'GATE_PASSED':
        if (!isPassed(body.judgement.confidence, before))
          say(`${body.judgement.about} passed below its threshold`)
        break
      case 'DECISION_RECORDED':
        if (!mayDecide(body.decision, around, sent)) say(`decided "${body.decision.question}" without leave`)
        break
      case 'STEP_STARTED':
        if (!mayStart(body.step, around, sent)) say(`${wordsFor(body.step)} began without leave`)
        break
      default:
        break
    }
    if (!('plan' in body)) continue
    if (before && !mayMove(body.plan, around)) say(`went from ${before.position} to ${body.plan.position}`)
    plans.set(event.planId, body.plan)
  }
  return found
}

interface Surroundings {
  readonly events: readonly PlanEvent[]
  readonly at: number
  /** As it was before the event. */
  readonly plan: Plan | undefined
}

function wasSent({ gateId, digest, status }: Gate, sent: readonly SentAnswer[]): boolean {
  if (status.kind !== 'resolved') return false
  const { decision } = status.answer
  return sent.some(each => each.gateId === gateId && each.digest === digest && each.decision === decision)
}

function isPassed(confidence: GateConfidence, plan: Plan | undefined): boolean {
  const { gate, threshold, effective } = confidence
  return threshold === plan?.profile.thresholds[gate] && threshold < 1 && effective >= threshold
}

const UNGATED: readonly Decision['type'][] = ['prompt_definition', 'invariant_enforced', 'user_intervention']

function mayDecide(
  { type, decidedBy, gateConfidence, question }: Decision,
  around: Surroundings,
  sent: readonly SentAnswer[],
): boolean {
  if (decidedBy === 'system' || UNGATED.includes(type)) return true
  if (decidedBy === 'human')
    return approvedBefore(around).some(gate =>
      type === 'validation_response' ? gate.question === question : gate.subject.kind === 'decision',
    )
  if (gateConfidence && isPassed(gateConfidence, around.plan)) return true
  return granted(around, sent).some(({ subject }) => subject.kind === 'decision' && subject.type === type)
}

function mayStart(step: Step, around: Surroundings, sent: readonly SentAnswer[]): boolean {
  const { plan } = around
  if (step.kind === 'apply') return phaseEvidence(around, 'autoApply') && isWhatWasShown(step, around)
  if (step.kind === 'spawn')
    return passedBefore(around, 'spawnChildren') || approvedFor(step, around, ['children'])
  if (step.kind !== 'tool' && step.kind !== 'validate') return true
  if (!plan) return false
  if (beganBefore(step, around) && !mayBeginAgain(step, around)) return false
  const { safety, guards } = plan.profile
  if (isDenied(step, guards?.toolDenylist ?? [])) return approvedFor(step, around, ['guard'])
  if (!safety.requireHumanApproval) return true
  if (approvedFor(step, around, ['approval', 'guard'])) return true
  return granted(around, sent).some(
    ({ subject, kind }) => kind === 'step_approval' && subject.kind === 'tool' && subject.tool === step.tool,
  )
}

/** Only for the commands and rules that the test has: the first word of a command, or the name of a tool. */
function isDenied({ tool, input }: Step, denylist: readonly string[]): boolean {
  const [program = ''] = String(input['command'] ?? '').split(' ')
  return denylist.includes(tool ?? '') || denylist.includes(`${tool}(${program} *)`)
}

function beganBefore({ stepId }: Step, { events, at }: Surroundings): boolean {
  return events.slice(0, at).some(({ body }) => body.type === 'STEP_STARTED' && body.step.stepId === stepId)
}

function mayBeginAgain(step: Step, around: Surroundings): boolean {
  if (passedBefore(around, 'restoreCheckpoint')) return true
  return approvedBefore(around).some(
    ({ kind, requestKey }) =>
      ['retry', 'restore', 'resume', 'error'].includes(kind) &&
      requestKey.startsWith(`${step.idempotencyKey}:`),
  )
}

/** The last question before Apply was about exactly these changes; null where nobody was asked. */
function isWhatWasShown({ input }: Step, around: Surroundings): boolean {
  const shown = approvedBefore(around).findLast(
    ({ subject, automation }) => subject.kind === 'phase' && automation === 'autoApply',
  )
  return shown?.subject.kind !== 'phase' || shown.subject.changesDigest === input['digest']
}

const PHASES: Readonly<Record<string, AutomationGate>> = {
  'action strategize/queued': 'autoStrategize',
  'strategize execute/queued': 'autoExecute',
  'execute apply/queued': 'autoApply',
}

function mayMove(after: Plan, around: Surroundings): boolean {
  const before = around.plan
  if (!before || before.position === after.position || before.position.endsWith('/paused')) return true
  const [phase = ''] = before.position.split('/')
  const gate = PHASES[`${phase} ${after.position}`]
  if (gate === 'autoStrategize' && before.parentPlanId !== null) return spawnBegan(before, around)
  if (gate) return phaseEvidence(around, gate)
  if (after.position === 'strategize/queued' && ['execute', 'apply'].includes(phase))
    return (
      ['reviseStrategy', 'revertConstrainedApply'].some(each => passesNear(around, each as AutomationGate)) ||
      ['strategy_revision', 'constrained'].includes(lastApproved(around)?.kind ?? '')
    )
  return true
}

/** The profile let it pass, on record with the move, or a person has just approved the question before this phase. */
function phaseEvidence(around: Surroundings, gate: AutomationGate): boolean {
  const approved = approvedBefore(around).findLast(({ subject }) => subject.kind === 'phase')
  const asks = gate === 'autoApply' && around.plan?.profile.guards?.requireApprovalForApply === true
  if (!asks && passesNear(around, gate)) return true
  return approved?.automation === gate && lastPhaseEvent(around, approved)
}

/** No other phase was passed between its approval and now. */
function lastPhaseEvent(around: Surroundings, approved: Gate): boolean {
  const own = ownEvents(around)
  const answered = own.findLastIndex(
    ({ body }) => body.type === 'GATE_RESOLVED' && body.gate.gateId === approved.gateId,
  )
  const moved = own.slice(answered).filter(({ body }) => body.type === 'PLAN_PHASE_CHANGED')
  return moved.length <= 1
}

function spawnBegan({ parentPlanId }: Plan, { events, at }: Surroundings): boolean {
  return events
    .slice(0, at)
    .some(
      ({ planId, body }) =>
        planId === parentPlanId && body.type === 'STEP_STARTED' && body.step.kind === 'spawn',
    )
}

function ownEvents({ events, at }: Surroundings): PlanEvent[] {
  const planId = events[at]?.planId
  return events.slice(0, at + 1).filter(each => each.planId === planId)
}

function approvedBefore(around: Surroundings): Gate[] {
  return ownEvents(around).flatMap(({ body }) =>
    body.type === 'GATE_RESOLVED' &&
    body.gate.status.kind === 'resolved' &&
    body.gate.status.answer.decision === 'approve'
      ? [body.gate]
      : [],
  )
}

function lastApproved(around: Surroundings): Gate | undefined {
  return approvedBefore(around).at(-1)
}

function approvedFor(step: Step, around: Surroundings, about: readonly string[]): boolean {
  const keys = about.map(each => `${step.idempotencyKey}:${each}`)
  return approvedBefore(around).some(({ requestKey }) => keys.includes(requestKey))
}

function granted(around: Surroundings, sent: readonly SentAnswer[]): Gate[] {
  return approvedBefore(around).filter(({ gateId }) =>
    sent.some(each => each.gateId === gateId && each.grant === 'plan'),
  )
}

function passedBefore(around: Surroundings, gate: AutomationGate): boolean {
  return ownEvents(around).some(
    ({ body }) => body.type === 'GATE_PASSED' && body.judgement.confidence.gate === gate,
  )
}

/** In the same transaction, whose events stand together, or since the plan last moved to another phase. */
function passesNear({ events, at }: Surroundings, gate: AutomationGate): boolean {
  const planId = events[at]?.planId
  const after = events.slice(at + 1).filter(each => each.planId === planId)
  const next = after.findIndex(({ body }) => body.type !== 'GATE_PASSED' && body.type !== 'GATE_VOIDED')
  const own = events.slice(0, at).filter(each => each.planId === planId)
  const last = own.findLastIndex(({ body }) => body.type === 'PLAN_PHASE_CHANGED')
  const near = [...own.slice(Math.max(0, last)), ...after.slice(0, next < 0 ? after.length : next)]
  return near.some(({ body }) => body.type === 'GATE_PASSED' && body.judgement.confidence.gate === gate)
}

function wordsFor({ tool, kind, path, input }: Step): string {
  return [tool ?? kind, input['command'], `(${path})`].filter(Boolean).join(' ')
}
