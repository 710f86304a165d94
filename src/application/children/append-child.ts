import type { ChildRequest } from '../../domain/actor/actor.ts'
import { readPairs } from '../../domain/actor/recipe-guidance.ts'
import type { Decision } from '../../domain/decision/decision.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { asId, type PlanId } from '../../domain/ids.ts'
import type { Correction, Step } from '../../domain/plan/journal.ts'
import { canMove, isHandedOver, isSettled, phaseOf, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { APPEND_PATH, beginSpawn } from '../../domain/plan/spawn.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { CorrectDecision, CorrectionOutcome, Impact } from '../backend/correction.ts'
import { recordDirectly } from '../decision/record-decision.ts'
import { refusalIfMoved } from '../gate/confirmed-preview.ts'
import { changePlan } from '../plan/change-plan.ts'
import { authoriseStep } from '../plan/journal-step.ts'
import { worksInPlace } from '../plan/sandbox-facts.ts'
import type { Ports } from '../ports.ts'
import { findAction } from '../project/find-action.ts'
import { findDecision, findPlan, planOf } from '../references.ts'
import { type CheckedChild, checkChild } from './create-child.ts'
import { insertChildren } from './settle-spawn.ts'

/** What a person appended and has not ended yet; it comes before whatever the actor asks for. */
export function appendedTo(ports: Ports, { planId }: Plan): Step | undefined {
  return ports.store.steps.listOpenSpawns(planId).find(step => step.path === APPEND_PATH)
}

/**
 * Corrects by adding: nothing is taken back, and a child plan with the guidance works on what the plan has so far. In
 * Strategize, where nothing is written, it begins with Execute. On a plan that is applied, or that works in the user's
 * own files, it works on those and asks by itself before they change.
 */
export function appendChild(ports: Ports, input: CorrectDecision): Result<CorrectionOutcome> {
  return ports.store.transaction(() => {
    const found = find(ports, input)
    if (!found.ok) return found
    const { plan, target } = found.value
    const refused = refusalToAppend(ports, plan)
    if (refused) return refused
    const child = checkChild(ports, plan, requestFor(ports, plan, input))
    if (!child.ok) return child
    const impact = impactOf(ports, plan, child.value)
    const moved = refusalIfMoved(impact.digest, input.digest)
    if (moved) return moved
    const outcome = {
      targetDecisionId: target.decisionId,
      mode: 'append',
      guidance: input.guidance,
      impact,
    } as const
    if (input.dryRun) return { ok: true, value: { ...outcome, plan, correction: null } }
    const correction = append(ports, plan, { target, guidance: input.guidance, child: child.value })
    return { ok: true, value: { ...outcome, plan: planOf(ports, plan.planId), correction } }
  })
}

/** A plan alone is corrected at its newest decision. */
function find(ports: Ports, input: CorrectDecision): Result<{ plan: Plan; target: Decision }> {
  const named = input.planRef === null ? null : findPlan(ports, input.planRef)
  if (named && !named.ok) return named
  if (input.decisionRef !== null) {
    const target = findDecision(ports, input.decisionRef, named?.value ?? null)
    if (!target.ok) return target
    return { ok: true, value: { plan: planOf(ports, target.value.planId), target: target.value } }
  }
  if (!named) return refuse('invalid_input', 'Name a plan, or one of its decisions.')
  const newest = ports.store.decisions.listByPlan(named.value.planId).findLast(isActive)
  if (!newest) return refuse('invalid_state', `Plan ${named.value.name} has no decision yet.`)
  return { ok: true, value: { plan: named.value, target: newest } }
}

function refusalToAppend(ports: Ports, plan: Plan): Result<never> | null {
  const { name, planId, position } = plan
  const refusal = (message: string) => refuse('invalid_state', message, { plan_id: planId, position })
  if (stateOf(position) === 'cancelled')
    return refusal(`Plan ${name} was cancelled; nothing goes on from it. Start a new plan.`)
  if (position === 'apply/running')
    return refusal(`Plan ${name} is being applied. Append to it when that has ended.`)
  if (phaseOf(position) === 'action')
    return refusal(`Plan ${name} has not begun. Ask for changes at its first gate instead.`)
  if (plan.appliesTo === 'parent' && (isHandedOver(position) || stateOf(position) === 'applied')) {
    const parent = plan.parentPlanId ? planOf(ports, plan.parentPlanId).name : ''
    return refusal(`Plan ${name} is part of ${parent} by now. Append to ${parent} instead.`)
  }
  if (worksInPlace(ports, plan) && !isSettled(position))
    return refusal(`Plan ${name} works in your own files. Append to it when it waits or has ended.`)
  return null
}

/** The same action again with the guidance, or another one. `name=value` in the guidance sets its arguments. */
function requestFor(ports: Ports, plan: Plan, { action, guidance }: CorrectDecision): ChildRequest {
  const isSame = action === null || action === plan.action.name
  const entry = isSame ? null : findAction(ports, action)
  const other = entry?.ok ? entry.value.action.arguments : []
  const definitions = isSame ? plan.action.arguments : other
  const texts = readPairs(guidance) ?? []
  const known = texts.flatMap(({ name, text }): [string, unknown][] => {
    const plain = name.replace(/^args\./, '')
    return definitions.some(each => each.name === plain) ? [[plain, text]] : []
  })
  const before = ports.store.plans.listChildren(plan.planId)
  const count = before.filter(each => each.spawnKey?.startsWith('append-')).length
  return {
    key: `append-${count + 1}`,
    action: action ?? plan.action.name,
    args: { ...(isSame ? plan.args : {}), ...Object.fromEntries(known) },
    guidance,
    after: [],
  }
}

function impactOf(ports: Ports, plan: Plan, { request }: CheckedChild): Impact {
  const impact: Omit<Impact, 'digest'> = {
    decisions: [],
    plans: [],
    restored: [],
    leftAlone: [],
    cannotRestore: [],
    kept: [],
    tier: 'full',
    warnings: [sentenceFor(ports, plan, request)],
    irreversible: [],
    gatesAgain: ports.store.gates
      .listOpen(plan.planId)
      .filter(() => appliesTo(ports, plan) === 'parent')
      .map(gate => gate.question),
  }
  return { ...impact, digest: ports.digest(JSON.stringify([plan.planId, plan.position, request])) }
}

function sentenceFor(ports: Ports, plan: Plan, { action }: ChildRequest): string {
  if (appliesTo(ports, plan) === 'project')
    return `A child plan runs ${action} on your files as they are, and asks before it changes them.`
  const when = phaseOf(plan.position) === 'strategize' ? ', once the plan is in Execute' : ''
  return `A child plan runs ${action} on what ${plan.name} has so far${when}; nothing is taken back.`
}

function appliesTo(ports: Ports, plan: Plan): Plan['appliesTo'] {
  return stateOf(plan.position) === 'applied' || worksInPlace(ports, plan) ? 'project' : 'parent'
}

interface Appending {
  readonly target: Decision
  readonly guidance: string
  readonly child: CheckedChild
}

/** Call it inside a transaction. */
function append(ports: Ports, plan: Plan, { target, guidance, child }: Appending): Correction {
  const phase = phaseOf(plan.position) === 'strategize' ? 'strategize' : 'execute'
  const decision = recordPair(ports, plan, phase, { target, guidance, child })
  const planId = asId<PlanId>(ports.newId())
  const spawn = { children: [child.request], mode: 'sequential', maxParallel: 1, merge: 'three_way' } as const
  const row = authoriseStep(
    ports,
    plan,
    { decisionId: decision.decisionId, phase },
    {
      path: APPEND_PATH,
      kind: 'spawn',
      tool: null,
      input: beginSpawn(spawn, [0], [planId]),
      readOnly: false,
      idempotencyKey: `${plan.planId}:append:${planId}`,
    },
  )
  const to = appliesTo(ports, plan)
  const [made] = insertChildren(ports, plan, row, [child], to)
  if (to === 'project') {
    // Nothing of it is merged, so nobody drives it; whoever asked for it approved that it begins.
    ports.store.steps.update({ ...row, status: 'done', endedAt: ports.clock.now() })
    if (made) changePlan(ports, made, { event: 'phase_passed' })
  } else if (plan.position !== 'execute/running' && canMove(plan, 'appended')) {
    const moved = changePlan(ports, plan, {
      event: 'appended',
      reason: `${planOf(ports, planId).name} was appended`,
    })
    if (!moved.ok) throw new Error(moved.failure.message)
  }
  return recordCorrection(ports, plan, { target, guidance, childPlanId: planId })
}

/** A person's word, and below it the decision under which the child works. */
function recordPair(
  ports: Ports,
  plan: Plan,
  phase: 'strategize' | 'execute',
  { target, guidance, child }: Appending,
) {
  const root = ports.store.decisions.listByPlan(plan.planId).find(each => each.type === 'prompt_definition')
  const word = recordDirectly(ports, plan, {
    type: 'user_intervention',
    phase,
    question: `Addition at #${target.number}: ${target.question}`,
    chosenOption: { id: 'guidance', label: guidance, rationale: null },
    rationale: guidance,
    parentDecisionId: root?.decisionId ?? null,
    decidedBy: 'human',
  })
  return recordDirectly(ports, plan, {
    type: 'subplan_spawn',
    phase,
    question: 'Which child plan carries it out?',
    chosenOption: { id: child.request.key, label: child.action.name, rationale: null },
    rationale: 'a person appended it',
    parentDecisionId: word.decisionId,
    decidedBy: 'human',
  })
}

function recordCorrection(
  ports: Ports,
  plan: Plan,
  { target, guidance, childPlanId }: { target: Decision; guidance: string; childPlanId: PlanId },
): Correction {
  const now = ports.clock.now()
  const correction: Correction = {
    correctionId: asId(ports.newId()),
    planId: plan.planId,
    targetDecisionId: target.decisionId,
    mode: 'append',
    guidance,
    status: 'done',
    attempt: plan.attempt,
    supersededIds: [],
    childPlanId,
    safetyState: null,
    failure: null,
    createdAt: now,
    endedAt: now,
  }
  ports.store.corrections.put(correction)
  const log = ports.store.events
  log.append(plan.planId, plan.rootPlanId, { type: 'CORRECTION_STARTED', correction })
  log.append(plan.planId, plan.rootPlanId, { type: 'CORRECTION_FINISHED', correction })
  return correction
}
