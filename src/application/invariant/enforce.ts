import type { Decision } from '../../domain/decision/decision.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { isMeasured } from '../../domain/invariant/check-changes.ts'
import { type ActiveInvariant, sourceWords } from '../../domain/invariant/invariant.ts'
import { isSame, problemOf } from '../../domain/invariant/reconcile.ts'
import { ruleWords, tightens } from '../../domain/invariant/rule.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import { recordDirectly, rootOf } from '../decision/record-decision.ts'
import { supersede } from '../decision/supersede.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { candidatesFor } from './candidates.ts'

export interface Enforced {
  readonly active: readonly ActiveInvariant[]
  /** Those that ask for more than what held when the plan last looked. */
  readonly tighter: readonly ActiveInvariant[]
}

/** Which invariants hold for the plan at this moment; a refusal keeps it from going on. */
export async function reconcileFor({ ports, signal }: PlanSession, plan: Plan): Promise<Result<Enforced>> {
  const reconciler = ports.actors.reconcilerFor(plan.action)
  if (!reconciler.ok) return reconciler
  const candidates = candidatesFor(ports, plan)
  const reconciled = await reconciler.value.reconcile(candidates, { signal })
  if (!reconciled.ok) return reconciled
  const problem = problemOf(candidates, reconciled.value)
  if (problem)
    return refuse('invalid_state', `The answer of ${reconciler.value.name} is not taken: ${problem}.`)
  const active = reconciled.value
  return { ok: true, value: { active, tighter: active.filter(each => isTighter(each, plan.invariants)) } }
}

function isTighter(now: ActiveInvariant, before: readonly ActiveInvariant[]): boolean {
  if (before.some(each => isSame(each, now))) return false
  const { rule } = now
  return (
    rule === null ||
    tightens(
      rule,
      before.flatMap(each => each.rule ?? []),
    )
  )
}

/**
 * Every invariant that holds is a decision under the root, with what it was chosen over; one that holds no longer
 * leaves the tree. Harmless when nothing changed. Call it inside a transaction.
 */
export function recordInvariants(
  ports: Ports,
  plan: Plan,
  active: readonly ActiveInvariant[],
  phase: 'strategize' | 'execute',
): void {
  const wanted = new Map(active.map(invariant => [keyOf(entryOf(invariant)), entryOf(invariant)]))
  const standing = ports.store.decisions
    .listByPlan(plan.planId)
    .filter(each => isActive(each) && each.type === 'invariant_enforced')
  const gone = standing.filter(each => !wanted.has(keyOf(each)))
  supersede(
    ports,
    plan,
    gone.map(decision => ({ decision, why: 'the invariants of the plan were changed' })),
    { reason: 'revision', supersededBy: null, correctionId: null },
  )
  for (const each of standing) wanted.delete(keyOf(each))
  for (const entry of wanted.values())
    recordDirectly(ports, plan, {
      ...entry,
      type: 'invariant_enforced',
      phase,
      question: 'What must stay true?',
      parentDecisionId: rootOf(ports, plan),
      decidedBy: 'system',
    })
}

type Entry = Pick<Decision, 'chosenOption' | 'alternatives' | 'rationale'>

function entryOf({ text, rule, source, alsoFrom, over, nonOverridable }: ActiveInvariant): Entry {
  const checked =
    rule === null ? null : `${ruleWords(rule)}${isMeasured(rule) ? ', checked before Apply' : ''}`
  const also = alsoFrom.map(each => `; ${sourceWords(each)} says the same`)
  const firm = nonOverridable ? ' that may not be overridden' : ''
  return {
    chosenOption: { id: 'invariant', label: text, rationale: checked },
    alternatives: over.map((other, at) => ({
      id: `over-${at + 1}`,
      label: other.text,
      rationale: other.why,
    })),
    rationale: `an invariant of ${sourceWords(source)}${firm}${also.join('')}`,
  }
}

function keyOf({ chosenOption, alternatives, rationale }: Entry): string {
  return JSON.stringify([chosenOption.label, chosenOption.rationale, alternatives, rationale])
}
