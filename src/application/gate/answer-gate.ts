import { type Result, refuse } from '../../domain/failure.ts'
import {
  type Gate,
  type GateAnswer,
  type GateKind,
  isPhaseQuestion,
  namesDigest,
  takesChanges,
} from '../../domain/gate/gate.ts'
import { asId, shortId } from '../../domain/ids.ts'
import type { Grant } from '../../domain/plan/journal.ts'
import { type LifecycleEvent, step } from '../../domain/plan/lifecycle.ts'
import { anotherAttempt, type Plan } from '../../domain/plan/plan.ts'
import type { AnswerGate } from '../backend/plan.ts'
import { unlessByCommand } from '../by-a-person.ts'
import { answerLimit } from '../guardrails/answer-limit.ts'
import { changePlan } from '../plan/change-plan.ts'
import type { Ports } from '../ports.ts'
import { findPlan, gateToAnswer, planOf } from '../references.ts'
import { closeGate } from './close-gates.ts'

/**
 * Takes a person's answer: checks that it is an answer to exactly what was shown, then in one transaction closes the
 * gate and moves the plan. An answer never takes effect twice; what it allows is run afterwards by the plan's owner.
 */
export function answerGate(ports: Ports, input: AnswerGate): Result<Plan> {
  return ports.store.transaction(() => {
    const plan = findPlan(ports, input.planRef)
    if (!plan.ok) return plan
    const gate = gateToAnswer(ports, plan.value, input.gateRef)
    if (!gate.ok) return gate
    const refused = refusalToAnswer(ports, gate.value, input)
    if (refused) return refused
    // The question may be one of a plan below the one that was named.
    const answered = resolve(ports, planOf(ports, gate.value.planId), gate.value, input)
    return answered.ok ? { ok: true, value: planOf(ports, plan.value.planId) } : answered
  })
}

/** Why an answer is not taken, before it has any effect. */
export function refusalToAnswer(
  ports: Ports,
  gate: Gate,
  { answer, digest, confirmWord }: Pick<AnswerGate, 'answer' | 'digest' | 'confirmWord'>,
): Result<never> | null {
  const byCommand = unlessByCommand(ports, 'answer gates')
  if (byCommand) return byCommand
  const id = shortId(gate.gateId)
  if (gate.status.kind !== 'open') {
    const how =
      gate.status.kind === 'void'
        ? `is void: ${gate.status.reason}`
        : `was already answered by ${gate.status.by}`
    return refuse('stale_answer', `Gate ${id} ${how}. Look at the plan again.`, { gate_id: gate.gateId })
  }
  if (digest !== null && !namesDigest(gate.digest, digest)) {
    return refuse(
      'stale_answer',
      `Gate ${id} now asks something else than what you answered. Read it again.`,
      {
        gate_id: gate.gateId,
        digest: gate.digest,
      },
    )
  }
  if (
    gate.confirmWord !== null &&
    confirmWord !== gate.confirmWord &&
    withEffect(gate, answer).decision === 'approve'
  )
    return refuse(
      'invalid_input',
      `Gate ${id} is about what cannot be taken back: it is approved with the word ${gate.confirmWord}, typed by whoever approves it.`,
      { gate_id: gate.gateId, confirm_word: gate.confirmWord },
    )
  const { optionId } = answer
  if (optionId !== null && !gate.options.some(option => option.id === optionId)) {
    const ids = gate.options.map(option => option.id).join(', ')
    return refuse('not_found', `Gate ${id} has no option "${optionId}". Its options: ${ids}.`, {
      options: ids,
    })
  }
  if (contradictsItself(gate, answer))
    return refuse(
      'invalid_input',
      `"${optionId}" lets the work go on, which is no ${answer.decision === 'reject' ? 'rejection' : 'request for changes'}. Approve it, or leave it out.`,
      { option: optionId },
    )
  if (answer.part !== null && !takesPart(gate, answer))
    return refuse('invalid_input', 'Only an approval of Apply can be for a part of the changes.', {
      kind: gate.kind,
    })
  if (answer.decision === 'request_changes') return refusalToChange(ports, gate, answer)
  if (answer.grant !== 'once' && !coverOf(ports, gate)) {
    const message = `This ${words(gate.kind)} question takes no standing approval; approve it once.`
    return refuse('invalid_input', message, { kind: gate.kind, grant: answer.grant })
  }
  return null
}

/** Nobody guesses which half of it was meant. */
function contradictsItself({ options }: Gate, { decision, optionId }: GateAnswer): boolean {
  return decision !== 'approve' && options.some(({ id, effect }) => id === optionId && effect === 'approve')
}

function takesPart({ kind, automation, subject }: Gate, { decision, optionId }: GateAnswer): boolean {
  if (decision !== 'approve') return false
  if (kind === 'constrained') return optionId === null || optionId === 'retry'
  return subject.kind === 'phase' && automation === 'autoApply'
}

const MAX_ROUNDS = 10

function refusalToChange(ports: Ports, gate: Gate, { guidance }: GateAnswer): Result<never> | null {
  const { kind } = gate
  if (!takesChanges(gate))
    return refuse('invalid_state', `A ${words(kind)} gate takes approve or reject, not changes.`, { kind })
  if (!guidance?.trim()) return refuse('invalid_input', 'Say what should be different.', { kind })
  const rounds = ports.store.gates
    .listByPlan(gate.planId)
    .filter(each => each.kind === kind && each.question === gate.question && wantsChanges(each))
  if (rounds.length < MAX_ROUNDS) return null
  const message = `Changes were asked for ${MAX_ROUNDS} times at this question. Approve one of its options, or reject.`
  return refuse('invalid_state', message, { rounds: rounds.length })
}

function wantsChanges({ status }: Gate): boolean {
  return status.kind === 'resolved' && status.answer.decision === 'request_changes'
}

function words(kind: GateKind): string {
  return kind.replaceAll('_', ' ')
}

function resolve(ports: Ports, plan: Plan, gate: Gate, input: AnswerGate): Result<Plan> {
  const answer = withEffect(gate, input.answer)
  const move = moveFor(gate, answer, plan)
  const possible = step(plan, move.event)
  if (!possible.ok) return possible
  const at = ports.clock.now()
  if (!closeGate(ports, plan, gate, { kind: 'resolved', answer, by: input.by, at })) {
    return refuse('stale_answer', `Gate ${shortId(gate.gateId)} was answered meanwhile.`, {
      gate_id: gate.gateId,
    })
  }
  if (answer.decision === 'approve' && answer.grant !== 'once')
    grantFurther(ports, plan, gate, answer, input.by)
  return changePlan(ports, plan, { ...move, ...answerLimit(ports, plan, gate, { answer, by: input.by }) })
}

/** Choosing an option that stops the work is a rejection, whatever verb it came with. */
function withEffect(gate: Gate, answer: GateAnswer): GateAnswer {
  const option = gate.options.find(each => each.id === answer.optionId)
  return option?.effect === 'reject' && answer.decision === 'approve'
    ? { ...answer, decision: 'reject' }
    : answer
}

interface Move {
  readonly event: LifecycleEvent
  readonly reason?: string | null
  readonly patch?: Partial<Plan>
}

/** Why planning anew was asked about. */
function constraintIn({ subject, question }: Gate): string {
  return subject.kind === 'error' ? subject.message : question
}

function moveFor(gate: Gate, answer: GateAnswer, plan: Plan): Move {
  if (answer.decision === 'reject')
    return leavesRest(gate, plan)
      ? { event: 'closed_in_part', reason: `applied in part; ${restWords(plan, answer.note)}` }
      : { event: rejected(gate), reason: answer.note ?? `rejected: ${gate.question}` }
  if (isPhaseQuestion(gate)) return { event: 'phase_passed' }
  switch (gate.kind) {
    case 'strategy_revision':
      if (answer.optionId !== null && answer.optionId !== 'revise') return { event: 'continued' }
      return {
        event: 'strategy_revised',
        reason: gate.question,
        patch: anotherAttempt(plan, constraintIn(gate)),
      }
    case 'constrained':
      return answer.optionId === 'redo'
        ? {
            event: 'strategy_revised',
            reason: gate.question,
            patch: anotherAttempt(plan, constraintIn(gate)),
          }
        : { event: 'apply_retried' }
    default:
      return { event: 'continued' }
  }
}

/** What is applied already stays, so such a plan never looks as if nothing had been. */
function leavesRest({ kind, automation, subject }: Gate, { appliedState }: Plan): boolean {
  return (
    appliedState !== null &&
    (kind === 'constrained' || (subject.kind === 'phase' && automation === 'autoApply'))
  )
}

function restWords({ left }: Plan, note: string | null): string {
  const count = left?.files ?? 0
  const words = `${count} ${count === 1 ? 'file was' : 'files were'} left`
  return note === null ? words : `${words}: ${note}`
}

function rejected(gate: Gate): LifecycleEvent {
  if (isPhaseQuestion(gate)) return 'phase_rejected'
  switch (gate.kind) {
    // The actor hears of the refusal and finds another way.
    case 'decision':
    case 'ask':
    case 'tool':
    case 'step_approval':
    case 'child':
    case 'guard':
      return 'continued'
    case 'confirmation':
      // One about a call goes back to the actor; one about going on at all has nobody else to turn to.
      return gate.subject.kind === 'phase' ? 'given_up' : 'continued'
    default:
      return 'given_up'
  }
}

/** Never wider than what was asked: the same gate, the same type of decision or the same tool. */
function coverOf(
  ports: Ports,
  { kind, subject, automation }: Gate,
): Pick<Grant, 'gate' | 'decisionType' | 'tool'> | null {
  if (subject.kind === 'decision' && automation)
    return { gate: automation, decisionType: subject.type, tool: null }
  // Standing approvals reach calls, never the network for them.
  if (
    kind === 'step_approval' &&
    subject.kind === 'tool' &&
    ports.tools.find(subject.tool)?.capability.unsafe === false
  )
    return { gate: 'step_approval', decisionType: null, tool: subject.tool }
  return null
}

function grantFurther(ports: Ports, plan: Plan, gate: Gate, answer: GateAnswer, by: string): void {
  const covered = coverOf(ports, gate)
  if (!covered) return
  const grant: Grant = {
    grantId: asId(ports.newId()),
    scope:
      answer.grant === 'profile'
        ? { kind: 'profile', profile: plan.profile.name }
        : { kind: 'plan', planId: plan.planId },
    grantedBy: by,
    gateId: gate.gateId,
    grantedAt: ports.clock.now(),
    revokedAt: null,
    ...covered,
  }
  ports.store.grants.insert(grant)
}
