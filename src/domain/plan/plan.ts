import type { Action, ArgumentValue } from '../action.ts'
import type { ProjectBrief } from '../actor/actor.ts'
import type { Guardrails } from '../guardrails/limits.ts'
import type { GuardOverlay } from '../guards/guard-overlay.ts'
import type { DecisionId, PlanId } from '../ids.ts'
import type { ActiveInvariant } from '../invariant/invariant.ts'
import type { PreflightCheck } from '../preflight/preflight.ts'
import type { AutomationProfile, ProfileSource } from '../profile/profile.ts'
import type { SafetySources } from '../profile/safety.ts'
import type { Resource } from '../resource.ts'
import type { ChangeCounts } from '../sandbox/changeset.ts'
import type { SandboxState, SandboxStrategyName } from '../sandbox/strategy.ts'
import type { Position } from './lifecycle.ts'

/** One run of an action on a project. */
export interface Plan {
  readonly planId: PlanId
  /** Namespaced and unique for a top-level plan, e.g. `local/replace-text-2`. */
  readonly name: string
  /** The action as it was when the plan was made. */
  readonly action: Action
  readonly project: ProjectBrief
  readonly parentPlanId: PlanId | null
  readonly rootPlanId: PlanId
  readonly spawnDecisionId: DecisionId | null
  /** What its parent calls it, unique among the children of one decision; null for a top-level plan. */
  readonly spawnKey: string | null
  /** Where its changes go: a child of a plan that runs is merged into that plan and is applied together with it. */
  readonly appliesTo: 'project' | 'parent'
  /** The state of its parent's sandbox that it begins with, settled when it begins; null: the project's present tree. */
  readonly startsFrom: { readonly planId: PlanId; readonly state: SandboxState } | null
  readonly position: Position
  readonly remembered: Position | null
  /** Why it is where it is, for people; null when there is nothing to say. */
  readonly reason: string | null
  /** Grows with every correction. */
  readonly attempt: number
  /** How often the strategy was revised from Execute or Apply; bounded by `MAX_REVERSIONS`. */
  readonly reversions: number
  /** What the checks before its start found; null while they have not run. */
  readonly preflight: readonly PreflightCheck[] | null
  readonly profile: AutomationProfile
  readonly profileSource: ProfileSource
  /** How far it may go before it stops, settled when it was made; a person may raise or lower them. */
  readonly guardrails: Guardrails
  /** Who made fields of its safety stricter than the profile itself. */
  readonly safetySources: SafetySources
  /** What was changed about its guards after it was made. */
  readonly guardOverlay: GuardOverlay | null
  readonly args: Readonly<Record<string, ArgumentValue | null>>
  /** Those that hold, as of the last time they were reconciled. */
  readonly invariants: readonly ActiveInvariant[]
  /** Guidance given by people so far, oldest first. */
  readonly guidance: readonly string[]
  /** Why earlier strategies could not be carried out, oldest first. */
  readonly constraints: readonly string[]
  /** What its strategy actor left in words, as it holds; null where the decisions say it all. */
  readonly strategy: StrategyText | null
  /** The A2A context (session) it belongs to. */
  readonly contextId: string
  /** Where its work is done; settled when the plan was made. */
  readonly sandbox: SandboxStrategyName
  /** Why it is not the sandbox that would be expected there; null when it is. */
  readonly sandboxNotice: string | null
  /** The databases it works with beside the folder, as they were linked when it was made. */
  readonly resources: readonly Resource[]
  /** What the user's tree has of its work: null before the first apply, less than all of it after a partial one. */
  readonly appliedState: SandboxState | null
  /** What of its changes is not in the user's tree, as of the last Apply; null unless a part was applied. */
  readonly left: ChangeCounts | null
  /** What kept its commands from the rest of the machine when its phase began; null before that. */
  readonly confinement: 'bubblewrap' | 'none' | null
  /** The plan that was made to take its applied changes back; whether it did, that plan says. */
  readonly takenBackBy: PlanId | null
  /** What a person should know about the sandbox and its confinement. */
  readonly notices: readonly string[]
  /** The change set so far, as of the last checkpoint; null before Execute. */
  readonly changes: ChangeCounts | null
  /** When its states and outputs were removed, a long time after its end; null while they are there. */
  readonly workRemovedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** When Strategize first began; null before that. */
  readonly startedAt: string | null
  readonly endedAt: string | null
}

export interface StrategyText {
  readonly text: string
  /** From 1; grows whenever it becomes another text. */
  readonly revision: number
  /** Who edited it last; null: it is as the actor left it. */
  readonly editedBy: string | null
}

/** How much of a plan's work is in the user's files. It says so whatever became of the plan afterwards. */
export type AppliedPart = 'nothing' | 'part' | 'all'

export function appliedPart(
  plan: Pick<Plan, 'appliedState' | 'left' | 'appliesTo' | 'position'>,
): AppliedPart {
  if (plan.appliesTo === 'parent') return plan.position === 'apply/applied' ? 'all' : 'nothing'
  if (plan.appliedState === null) return 'nothing'
  return plan.left === null ? 'all' : 'part'
}

/** Stops a plan from going back and forth between Strategize and Execute for ever (requirements LIFE-15). */
export const MAX_REVERSIONS = 3

/** What going back to Strategize changes on a plan. `constraint`: why the strategy could not be carried out. */
export function anotherAttempt(
  plan: Plan,
  constraint: string,
): Pick<Plan, 'attempt' | 'reversions' | 'constraints'> {
  return {
    attempt: plan.attempt + 1,
    reversions: plan.reversions + 1,
    constraints: [...plan.constraints, constraint],
  }
}
