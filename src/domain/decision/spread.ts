import type { DecisionId, PlanId } from '../ids.ts'
import { isActive } from '../plan/tree.ts'
import type { Affected, AffectedDecision } from './correction.ts'
import type { Decision } from './decision.ts'
import type { DecisionWeb } from './influence.ts'

/** What is invalid so far. It grows as more turns out to be. */
export interface Spread {
  has(decisionId: DecisionId): boolean
  /** With everything that depends on it. One that is invalid already keeps its first reason. */
  add(decisionId: DecisionId, why: string): void
  affected(): Affected
}

/** Breadth-first over active structural children and over dependents by influence. `decisions`: all of the plan, by number. */
export function openSpread(decisions: readonly Decision[], { parents, edges }: DecisionWeb): Spread {
  const count = decisions.length
  const children = chain(parents, count, parent => parent - 1)
  const dependents = chain(edges, count, ({ upstream }) => upstream - 1)
  const reasons = new Array<string | undefined>(count).fill(undefined)
  const plans = new Set<PlanId>()
  let positions: Map<DecisionId, number> | null = null

  function visit(at: number, why: string, queue: number[]): void {
    const decision = decisions[at]
    if (!decision || reasons[at] !== undefined || !isActive(decision)) return
    reasons[at] = why
    queue.push(at)
  }

  function visitDependents(at: number, queue: number[]): void {
    for (let child = children.first(at); child >= 0; child = children.after(child))
      visit(child, `made under #${at + 1}`, queue)
    for (let edge = dependents.first(at); edge >= 0; edge = dependents.after(edge)) {
      const { downstream, why } = edges[edge] as DecisionWeb['edges'][number] // from the chain, so within
      if (typeof downstream === 'number') visit(downstream - 1, why, queue)
      else plans.add(downstream)
    }
  }

  return {
    has: decisionId => {
      positions ??= new Map(decisions.map((decision, at) => [decision.decisionId, at]))
      return reasons[positions.get(decisionId) ?? -1] !== undefined
    },
    add: (decisionId, why) => {
      const queue: number[] = []
      visit(
        decisions.findIndex(each => each.decisionId === decisionId),
        why,
        queue,
      )
      // Grows while it is walked: what is reached is looked at in its turn.
      for (const at of queue) visitDependents(at, queue)
    },
    affected: () => {
      const affected: AffectedDecision[] = []
      decisions.forEach((decision, at) => {
        const why = reasons[at]
        if (why !== undefined) affected.push({ decision, why })
      })
      return { decisions: affected, plans: [...plans] }
    },
  }
}

/** Threads the items that belong to each of `count` owners, in their order; -1 is the end. */
function chain<Item>(items: readonly Item[], count: number, ownerOf: (item: Item) => number) {
  const firsts = new Int32Array(count).fill(-1)
  const next = new Int32Array(items.length).fill(-1)
  for (let index = items.length - 1; index >= 0; index--) {
    const owner = ownerOf(items[index] as Item) // within
    if (owner < 0) continue
    next[index] = firsts[owner] ?? -1
    firsts[owner] = index
  }
  return { first: (owner: number) => firsts[owner] ?? -1, after: (item: number) => next[item] ?? -1 }
}
