import type { ArgumentValue } from '../../domain/action.ts'
import { matchOption, readPairs } from '../../domain/actor/recipe-guidance.ts'
import { typedValue } from '../../domain/arguments.ts'
import type { Decision } from '../../domain/decision/decision.ts'
import type { Result } from '../../domain/failure.ts'
import type { Gate } from '../../domain/gate/gate.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { CorrectDecision } from '../backend/correction.ts'
import type { AnswerGate } from '../backend/plan.ts'
import { correctDecision } from '../decision/correct-decision.ts'
import type { PlanOwner } from '../plan-owner.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { refusalToAnswer } from './answer-gate.ts'
import { planAnew } from './plan-anew.ts'

/**
 * Changes asked for at a phase gate go to the decision they name, else to the last one that an actor took: it is
 * decided again with the guidance, and the gate comes back as a new revision. Arguments go into everything, so other
 * values for them make the plan anew, as does guidance before anything was decided.
 */
export async function requestChangesAtPhase(
  ports: Ports,
  owner: PlanOwner,
  plan: Plan,
  gate: Gate,
  input: AnswerGate,
): Promise<Result<Plan>> {
  const refused = refusalToAnswer(ports, gate, input)
  if (refused) return refused
  const guidance = input.answer.guidance?.trim() ?? ''
  const args = argumentsIn(plan, guidance)
  if (!args.ok) return args
  const aim = aimOf(ports, plan, guidance)
  if (!aim || Object.keys(args.value).length > 0)
    return planAnew(ports, plan, { gate, input, guidance, args: args.value })
  const wanted: CorrectDecision = {
    decisionRef: aim.target.decisionId,
    planRef: plan.planId,
    mode: 'revert',
    guidance: aim.guidance,
    action: null,
    dryRun: false,
    digest: null,
  }
  const corrected = await correctDecision(ports, owner, wanted, { gate, answer: input.answer, by: input.by })
  return corrected.ok ? { ok: true, value: planOf(ports, plan.planId) } : corrected
}

/** New values for the plan's arguments, of their types; empty when the words name none. */
function argumentsIn(plan: Plan, guidance: string): Result<Readonly<Record<string, ArgumentValue>>> {
  const values: Record<string, ArgumentValue> = {}
  for (const { name, text } of readPairs(guidance) ?? []) {
    const definition = plan.action.arguments.find(each => each.name === name.replace(/^args\./, ''))
    if (!definition) continue
    const value = typedValue(definition, text)
    if (!value.ok) return value
    values[definition.name] = value.value
  }
  return { ok: true, value: values }
}

interface Aim {
  readonly target: Decision
  readonly guidance: string
}

/**
 * The earliest decision that is named, so that what follows hears of the rest; null while nothing was decided. One that
 * was kept and is still to come is not corrected: the last one before it hears what it is to be.
 */
function aimOf(ports: Ports, plan: Plan, guidance: string): Aim | null {
  const decided = ports.store.decisions
    .listByPlan(plan.planId)
    .filter(each => isActive(each) && each.key !== null)
  const reached = decided.filter(each => each.standing.actorStateRef !== null)
  const last = reached.at(-1)
  if (!last) return null
  const pairs = readPairs(guidance) ?? []
  const named = reached.find(each => pairs.some(({ name }) => isNamed(each, name)))
  const [only, second] = pairs
  if (named) return { target: named, guidance: only && !second ? only.text : guidance }
  const offering = decided.findLast(each => matchOption(each.alternatives, guidance))
  if (!offering || reached.includes(offering)) return { target: offering ?? last, guidance }
  const option = matchOption(offering.alternatives, guidance)
  return { target: last, guidance: `${offering.key}=${option?.id}` }
}

/** `edit` names every round of a decision in a loop, `edit[3]` one of them. */
function isNamed(decision: Decision, name: string): boolean {
  return decision.key === name || decision.key?.replace(/\[.*$/, '') === name
}
