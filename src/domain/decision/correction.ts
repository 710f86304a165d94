/**
 * What a correction of one decision invalidates. Pure: plans the impact, changes nothing.
 * Source: requirements CORR-06 to CORR-11, X-29.
 */
import type { DecisionId, PlanId } from '../ids.ts'
import type { Position } from '../plan/lifecycle.ts'
import { phaseOf } from '../plan/lifecycle.ts'
import { childrenByParent, isActive } from '../plan/tree.ts'
import type { Decision } from './decision.ts'
import { byUpstream, type Influence } from './influence.ts'

export interface Affected {
  /** The target first, then in order of recording; each with the reason it is invalid. */
  readonly decisions: readonly AffectedDecision[]
  readonly plans: readonly PlanId[]
}

export interface AffectedDecision {
  readonly decision: Decision
  readonly why: string
}

/**
 * Breadth-first from the target over active structural children and over dependents by influence. Superseded
 * decisions are left out on both kinds of edge.
 */
export function affectedBy(
  target: Decision,
  decisions: readonly Decision[],
  influences: readonly Influence[],
): Affected {
  const spread = openSpread(decisions, influences)
  spread.add(target.decisionId, 'the decision being corrected')
  return spread.affected()
}

/** What is invalid so far. It grows as more turns out to be. */
export interface Spread {
  has(decisionId: DecisionId): boolean
  /** With everything that depends on it. One that is invalid already keeps its first reason. */
  add(decisionId: DecisionId, why: string): void
  affected(): Affected
}

export function openSpread(decisions: readonly Decision[], influences: readonly Influence[]): Spread {
  const active = new Map(decisions.filter(isActive).map(decision => [decision.decisionId, decision]))
  const children = childrenByParent([...active.values()])
  const dependents = byUpstream(influences)
  const reasons = new Map<DecisionId, string>()
  const plans = new Set<PlanId>()
  return {
    has: decisionId => reasons.has(decisionId),
    add: (decisionId, why) => {
      const queue: Decision[] = []
      visit(queue, active.get(decisionId), why)
      // Grows while it is walked: what is reached is looked at in its turn.
      for (const at of queue) {
        for (const child of children.get(at.decisionId) ?? []) visit(queue, child, `made under #${at.number}`)
        for (const edge of dependents.get(at.decisionId) ?? []) {
          if (edge.downstream.kind === 'plan') plans.add(edge.downstream.planId)
          else visit(queue, active.get(edge.downstream.decisionId), edge.why)
        }
      }
    },
    affected: () => ({
      decisions: decisions.flatMap(decision => {
        const why = reasons.get(decision.decisionId)
        return why === undefined ? [] : [{ decision, why }]
      }),
      plans: [...plans],
    }),
  }

  function visit(queue: Decision[], decision: Decision | undefined, why: string): void {
    if (!decision || reasons.has(decision.decisionId)) return
    reasons.set(decision.decisionId, why)
    queue.push(decision)
  }
}

export type Tier = 'full' | 'phase' | 'none'

/** How far a plan can go back (requirements CORR-10). */
export function tierOf(sandbox: { readonly checkpoints: boolean; readonly sandboxed: boolean }): Tier {
  if (sandbox.checkpoints && sandbox.sandboxed) return 'full'
  return sandbox.sandboxed ? 'phase' : 'none'
}

/** Why a decision cannot be reverted now, in one sentence; null when it can. */
export function refusalToRevert(target: Decision, position: Position): string | null {
  if (position === 'apply/applied')
    return 'The plan is applied; a correction never undoes what was applied. Start a new plan for further changes.'
  if (position === 'apply/running') return 'The plan is being applied; wait until that has ended.'
  if (position.endsWith('/cancelled')) return 'The plan was cancelled.'
  if (target.status.kind === 'superseded') return `Decision #${target.number} is already superseded.`
  if (target.key === null)
    return `Decision #${target.number} was recorded by the system, not chosen; pick a decision that an actor took.`
  if (target.standing.actorStateRef === null)
    return `Decision #${target.number} is kept from before a correction and has not been reached again. Wait until it is, or correct an earlier one.`
  if (target.phase === 'execute' && phaseOf(position) === 'strategize')
    return `Decision #${target.number} belongs to an Execute phase that is no longer current.`
  return null
}
