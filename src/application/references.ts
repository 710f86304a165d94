/** How people and clients name things: full ids, prefixes, last characters, names, `#12`, `@latest`. */
import type { Decision } from '../domain/decision/decision.ts'
import { type Result, refuse } from '../domain/failure.ts'
import type { Gate } from '../domain/gate/gate.ts'
import { type AnyId, type PlanId, shortId } from '../domain/ids.ts'
import { noneNamed } from '../domain/nearest.ts'
import type { Plan } from '../domain/plan/plan.ts'
import type { CorrectDecision } from './backend/correction.ts'
import { isBelow, openGatesBelow } from './children/waiting.ts'
import type { Ports } from './ports.ts'

export function findPlan(ports: Ports, reference: string): Result<Plan> {
  const { plans } = ports.store
  const latest = reference === '@latest' ? plans.latest() : null
  const named = latest ?? plans.findByName(reference) ?? plans.findByName(`local/${reference}`)
  if (named) return { ok: true, value: named }
  const candidates = plans.match(reference).flatMap(id => plans.find(id) ?? [])
  if (candidates.length === 0) {
    const known = plans.list({ limit: 100 }).map(plan => plan.name)
    const message =
      known.length > 0
        ? noneNamed('plan', reference, known)
        : `There is no plan ${reference}. There are no plans yet.`
    return refuse('not_found', message, { reference })
  }
  return single('plan', reference, candidates, plan => `${shortId(plan.planId)} ${plan.name}`)
}

/** `#12` needs the plan; everything else is found over all plans. A decision of another plan than the given one is refused. */
export function findDecision(ports: Ports, reference: string, plan: Plan | null): Result<Decision> {
  const found = decisionNamed(ports, reference, plan)
  if (!found.ok || plan === null || found.value.planId === plan.planId) return found
  const message = `Decision #${found.value.number} does not belong to plan ${plan.name}.`
  return refuse('invalid_input', message, { reference, plan_id: found.value.planId })
}

function decisionNamed(ports: Ports, reference: string, plan: Plan | null): Result<Decision> {
  const numbered = /^(?:(?<plan>.+))?#(?<number>\d+)$/.exec(reference)?.groups
  if (numbered)
    return findByNumber(ports, reference, numbered['plan'] ?? null, Number(numbered['number']), plan)
  const { decisions } = ports.store
  const inPlan = plan ? decisions.match(reference, plan.planId) : []
  const ids = inPlan.length > 0 ? inPlan : decisions.match(reference, null)
  const candidates = ids.flatMap(id => decisions.find(id) ?? [])
  return single(
    'decision',
    reference,
    candidates,
    each => `${shortId(each.decisionId)} #${each.number} ${each.question}`,
  )
}

function findByNumber(
  ports: Ports,
  reference: string,
  named: string | null,
  number: number,
  given: Plan | null,
): Result<Decision> {
  const plan = named ? findPlan(ports, named) : given ? { ok: true as const, value: given } : null
  if (!plan) {
    return refuse(
      'invalid_input',
      `${reference} is a number within a plan: write PLAN${reference}, or name the plan.`,
    )
  }
  if (!plan.ok) return plan
  const found = ports.store.decisions.findByNumber(plan.value.planId, number)
  if (found) return { ok: true, value: found }
  return refuse('not_found', `Plan ${plan.value.name} has no decision #${number}.`, { reference })
}

/** One name that can mean a decision or a plan says by what it finds which of the two it means (requirements X-25). */
export function namedByKind(ports: Ports, input: CorrectDecision): CorrectDecision {
  const { decisionRef, planRef, mode } = input
  const isPlan =
    decisionRef !== null &&
    planRef === null &&
    !findDecision(ports, decisionRef, null).ok &&
    findPlan(ports, decisionRef).ok
  const named = isPlan ? { ...input, decisionRef: null, planRef: decisionRef } : input
  return mode === null && named.decisionRef === null ? { ...named, mode: 'append' } : named
}

function findGate(ports: Ports, reference: string): Result<Gate> {
  const { gates } = ports.store
  const candidates = gates.match(reference).flatMap(id => gates.find(id) ?? [])
  return single('gate', reference, candidates, gate => `${shortId(gate.gateId)} ${gate.question}`)
}

/** The gate an answer is for: the one named, or the only open one of the plan and the plans below it. */
export function gateToAnswer(ports: Ports, plan: Plan, reference: string | null): Result<Gate> {
  if (reference !== null) {
    const gate = findGate(ports, reference)
    if (gate.ok && !isBelow(ports, gate.value.planId, plan)) {
      return refuse(
        'invalid_input',
        `Gate ${shortId(gate.value.gateId)} belongs to another plan than ${plan.name}.`,
      )
    }
    return gate
  }
  const open = openGatesBelow(ports, plan)
  if (open.length === 0)
    return refuse('invalid_state', `Nothing of plan ${plan.name} waits for an answer.`, {
      position: plan.position,
    })
  return single('open gate', plan.name, open, gate => `${shortId(gate.gateId)} ${gate.question}`)
}

/** The one candidate; none is not found, several are ambiguous and listed. */
function single<Value>(
  noun: string,
  reference: string,
  candidates: readonly Value[],
  describe: (value: Value) => string,
): Result<Value> {
  const [first] = candidates
  if (first === undefined)
    return refuse(
      'not_found',
      reference.trim() === '' ? `The name of the ${noun} is empty.` : `There is no ${noun} ${reference}.`,
      { reference },
    )
  if (candidates.length === 1) return { ok: true, value: first }
  const listed = candidates.map(describe)
  return refuse('ambiguous', `${reference} could be any of ${candidates.length}: ${listed.join('; ')}.`, {
    candidates: listed,
  })
}

export function findById<Id extends AnyId, Value>(
  noun: string,
  reference: string,
  ids: readonly Id[],
  load: (id: Id) => Value | null,
): Result<Value> {
  const candidates = ids.flatMap(id => load(id) ?? [])
  return single(noun, reference, candidates, () => noun)
}

export function planOf(ports: Ports, planId: PlanId): Plan {
  const plan = ports.store.plans.find(planId)
  if (!plan) throw new Error(`plan ${planId} is not in the store`)
  return plan
}
