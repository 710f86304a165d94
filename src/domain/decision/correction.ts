/**
 * What a correction of one decision invalidates. Pure: plans the impact, changes nothing.
 * Source: requirements CORR-06 to CORR-11, X-29.
 */
import type { PlanId } from '../ids.ts'
import type { Position } from '../plan/lifecycle.ts'
import { phaseOf } from '../plan/lifecycle.ts'
import type { Decision } from './decision.ts'
import type { DecisionWeb } from './influence.ts'
import { openSpread } from './spread.ts'

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
export function affectedBy(target: Decision, decisions: readonly Decision[], web: DecisionWeb): Affected {
  const spread = openSpread(decisions, web)
  spread.add(target.decisionId, 'the decision being corrected')
  return spread.affected()
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
