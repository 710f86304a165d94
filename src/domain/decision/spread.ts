import type { DecisionId, PlanId } from '../ids.ts'
import { isActive } from '../plan/tree.ts'
import type { Affected } from './correction.ts'
import type { Decision } from './decision.ts'
import type { Influence } from './influence.ts'

/** What is invalid so far. It grows as more turns out to be. */
export interface Spread {
  has(decisionId: DecisionId): boolean
  /** With everything that depends on it. One that is invalid already keeps its first reason. */
  add(decisionId: DecisionId, why: string): void
  affected(): Affected
}

/**
 * Breadth-first over active structural children and over dependents by influence. Decisions are numbers here and their
 * dependents chains of numbers: a preview must not be felt with a hundred thousand of them, and looking up an id is what
 * costs.
 */
export function openSpread(decisions: readonly Decision[], influences: readonly Influence[]): Spread {
  const active = decisions.filter(isActive)
  const indexOf = new Map<DecisionId, number>()
  for (const [index, { decisionId }] of active.entries()) indexOf.set(decisionId, index)
  const children = chain(active, active.length, ({ parentDecisionId }) =>
    parentDecisionId === null ? undefined : indexOf.get(parentDecisionId),
  )
  const edges = chain(influences, active.length, edge => indexOf.get(edge.upstreamDecisionId))
  const reasons = new Array<string | undefined>(active.length)
  const plans = new Set<PlanId>()
  const queue: number[] = []

  function visit(index: number | undefined, why: string): void {
    if (index === undefined || reasons[index] !== undefined) return
    reasons[index] = why
    queue.push(index)
  }

  function visitDependents(at: number): void {
    for (let child = children.first(at); child >= 0; child = children.after(child))
      visit(child, `made under #${active[at]?.number}`)
    for (let edge = edges.first(at); edge >= 0; edge = edges.after(edge)) {
      const { downstream, why } = influences[edge] as Influence // from the chain, so within
      if (downstream.kind === 'plan') plans.add(downstream.planId)
      else visit(indexOf.get(downstream.decisionId), why)
    }
  }

  return {
    has: decisionId => reasons[indexOf.get(decisionId) ?? -1] !== undefined,
    add: (decisionId, why) => {
      queue.length = 0
      visit(indexOf.get(decisionId), why)
      // Grows while it is walked: what is reached is looked at in its turn.
      for (const at of queue) visitDependents(at)
    },
    affected: () => ({
      decisions: active.flatMap((decision, index) => {
        const why = reasons[index]
        return why === undefined ? [] : [{ decision, why }]
      }),
      plans: [...plans],
    }),
  }
}

/** Threads the items that belong to each of `count` owners, in their order; -1 is the end. */
function chain<Item>(items: readonly Item[], count: number, ownerOf: (item: Item) => number | undefined) {
  const firsts = new Int32Array(count).fill(-1)
  const next = new Int32Array(items.length).fill(-1)
  for (let index = items.length - 1; index >= 0; index--) {
    const owner = ownerOf(items[index] as Item) // within
    if (owner === undefined) continue
    next[index] = firsts[owner] ?? -1
    firsts[owner] = index
  }
  return { first: (owner: number) => firsts[owner] ?? -1, after: (item: number) => next[item] ?? -1 }
}
