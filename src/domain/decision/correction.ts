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
  readonly decisions: readonly { readonly decision: Decision; readonly why: string }[]
  readonly plans: readonly PlanId[]
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
  const active = new Map(decisions.filter(isActive).map(decision => [decision.decisionId, decision]))
  const children = childrenByParent([...active.values()])
  const reasons = new Map<DecisionId, string>([[target.decisionId, 'the decision being corrected']])
  const plans = new Set<PlanId>()
  const dependents = byUpstream(influences)
  const queue: Decision[] = [target]
  // Grows while it is walked: what is reached is looked at in its turn.
  for (const at of queue) {
    for (const child of children.get(at.decisionId) ?? []) visit(child, `made under #${at.number}`)
    for (const edge of dependents.get(at.decisionId) ?? []) {
      if (edge.downstream.kind === 'plan') plans.add(edge.downstream.planId)
      else visit(active.get(edge.downstream.decisionId), edge.why)
    }
  }
  return { decisions: inOrder(decisions, reasons), plans: [...plans] }

  function visit(decision: Decision | undefined, why: string): void {
    if (!decision || reasons.has(decision.decisionId)) return
    reasons.set(decision.decisionId, why)
    queue.push(decision)
  }
}

/**
 * Everything recorded later joins the affected set: kept work is not laid back on top yet, so what came after the
 * target is done again.
 */
export function withEverythingLater(
  target: Decision,
  affected: Affected,
  decisions: readonly Decision[],
): Affected {
  const reasons = new Map(affected.decisions.map(({ decision, why }) => [decision.decisionId, why]))
  for (const decision of decisions) {
    if (!isActive(decision) || decision.number <= target.number || isOnlyWords(decision)) continue
    if (!reasons.has(decision.decisionId))
      reasons.set(decision.decisionId, 'made later; everything later is redone')
  }
  return { decisions: inOrder(decisions, reasons), plans: affected.plans }
}

/** What a person said stays said; what they changed in the sandbox goes with the state that held it. */
function isOnlyWords({ type, checkpointId }: Decision): boolean {
  return type === 'user_intervention' && checkpointId === null
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
  if (target.phase === 'execute' && phaseOf(position) === 'strategize')
    return `Decision #${target.number} belongs to an Execute phase that is no longer current.`
  return null
}

function inOrder(
  decisions: readonly Decision[],
  reasons: ReadonlyMap<DecisionId, string>,
): Affected['decisions'] {
  return decisions.flatMap(decision => {
    const why = reasons.get(decision.decisionId)
    return why === undefined ? [] : [{ decision, why }]
  })
}
