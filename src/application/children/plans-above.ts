import type { BriefAbove } from '../../domain/actor/actor.ts'
import type { Decision } from '../../domain/decision/decision.ts'
import type { DecisionId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'

/** However large the family, a child reads no more than this of it before it looks at the project. */
const MOST_DECISIONS = 12
const MOST_SIBLINGS = 20
const MOST_CHARACTERS = 300

/** What a child plan is told of the plans above it; null for a plan that has none. */
export function plansAbove(ports: Ports, plan: Plan): BriefAbove | null {
  const parent = plan.parentPlanId ? planOf(ports, plan.parentPlanId) : null
  if (parent === null) return null
  const line = [...lineAbove(ports, parent), parent]
  const spawn = plan.spawnDecisionId ? ports.store.decisions.find(plan.spawnDecisionId) : null
  return {
    plans: line.map(each => ({ name: each.name, action: each.action.name, task: taskOf(each) })),
    decisions: decisionsAbove(ports, [...line, plan]),
    part: {
      question: clipped(spawn?.question ?? ''),
      key: plan.spawnKey ?? '',
      siblings: siblingsOf(ports, plan, parent),
    },
  }
}

/** The root first. */
function lineAbove(ports: Ports, { parentPlanId }: Plan): Plan[] {
  if (parentPlanId === null) return []
  const parent = planOf(ports, parentPlanId)
  return [...lineAbove(ports, parent), parent]
}

function taskOf({ args, action }: Plan): string {
  const { prompt, ...given } = args
  if (typeof prompt === 'string') return clipped(prompt)
  const values = Object.entries(given).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return clipped([action.description, ...values].join(' '))
}

/** Those nearest to the child are kept where there are too many; they are told from the root on, as they were taken. */
function decisionsAbove(ports: Ports, line: readonly Plan[]): BriefAbove['decisions'] {
  const found: BriefAbove['decisions'][number][] = []
  for (const [at, { spawnDecisionId }] of [...line.entries()].reverse()) {
    const above = line[at - 1]
    const left = MOST_DECISIONS - found.length
    if (!above || spawnDecisionId === null || left === 0) continue
    const rests = restsOn(ports, spawnDecisionId, left).sort((a, b) => a.standing.place - b.standing.place)
    found.unshift(
      ...rests.map(({ question, chosenOption, rationale, decidedBy }) => ({
        plan: above.name,
        question: clipped(question),
        chosen: clipped(chosenOption.label),
        rationale: clipped(rationale),
        decidedBy: decidedBy === 'human' ? ('human' as const) : ('actor' as const),
      })),
    )
  }
  return found
}

/** What a decision is a part of, and what shaped it, over any number of edges: the nearest come first. */
function restsOn(ports: Ports, from: DecisionId, most: number): Decision[] {
  const { decisions } = ports.store
  const seen = new Set([from])
  const found: Decision[] = []
  for (const id of seen) {
    if (found.length === most) break
    const decision = decisions.find(id)
    if (!decision || !isActive(decision)) continue
    if (id !== from && isChoice(decision)) found.push(decision)
    if (decision.parentDecisionId) seen.add(decision.parentDecisionId)
    for (const { upstreamDecisionId } of decisions.influencesAround(id).upstream) seen.add(upstreamDecisionId)
  }
  return found
}

/** The task and the invariants are told apart from the decisions. */
function isChoice({ type }: Decision): boolean {
  return type !== 'prompt_definition' && type !== 'invariant_enforced'
}

function siblingsOf(
  ports: Ports,
  { planId, spawnDecisionId }: Plan,
  parent: Plan,
): BriefAbove['part']['siblings'] {
  return ports.store.plans
    .listChildren(parent.planId)
    .filter(each => each.spawnDecisionId === spawnDecisionId && each.planId !== planId)
    .slice(0, MOST_SIBLINGS)
    .map(each => ({ key: each.spawnKey ?? '', action: each.action.name, task: taskOf(each) }))
}

function clipped(text: string): string {
  const whole = text.trim()
  return whole.length <= MOST_CHARACTERS ? whole : `${whole.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…`
}
