import type { AutomationProfile } from '../profile/profile.ts'
import type { SandboxStrategy } from '../sandbox/strategy.ts'
import type { ToolCapability } from '../tool.ts'

/** Everything that the checks before a plan look at. */
export interface PreflightFacts {
  readonly action: { readonly name: string; readonly archived: boolean; readonly unavailable: string | null }
  readonly actors: readonly ActorFacts[]
  /** Of the action and of all that it starts. */
  readonly tools: readonly ToolUse[]
  /** Names of actions that are started and cannot be, with the reason. */
  readonly missingActions: readonly { readonly name: string; readonly reason: string }[]
  /** Why what an action wants confirmed is the name of nothing. */
  readonly unknownConfirmations: readonly { readonly action: string; readonly reason: string }[]
  readonly profile: AutomationProfile
  readonly sandbox: SandboxChoice
  readonly resources: readonly ResourceFacts[]
  /** Why the project's folder cannot be reached; null when it can. */
  readonly folderProblem: string | null
  readonly validations: ValidationFacts
  /** What the action's own steps say they cost, each counted once; null when none says it. */
  readonly estimateUsd: number | null
  /** Whether somebody is there to answer. */
  readonly isAttended: boolean
}

export interface ActorFacts {
  readonly role: string
  readonly name: string
  /** Why it cannot be had; null when it can. */
  readonly problem: string | null
}

export interface ToolUse {
  readonly name: string
  /** The action whose step uses it. */
  readonly action: string
  /** Null where there is no such tool. */
  readonly tool: { readonly category: string; readonly capability: ToolCapability } | null
}

export type SandboxChoice =
  | ({ readonly kind: 'chosen' } & Pick<SandboxStrategy, 'name' | 'place' | 'restores'>)
  /** Which cannot be had, with the reason. */
  | { readonly kind: 'none'; readonly reason: string }

export interface ResourceFacts {
  readonly name: string
  readonly restores: SandboxStrategy['restores']
  /** Why it cannot be reached; null when it can. */
  readonly problem: string | null
}

export interface ValidationFacts {
  /** What is wrong with a definition that is attached to the project, its resources or the plan. */
  readonly problems: readonly string[]
  /** Checks that the folder declares, which do not run because it is not trusted. */
  readonly untrusted: boolean
  readonly project: string
}

export interface Finding {
  readonly level: 'failure' | 'warning'
  readonly message: string
}

export function failing(message: string): Finding {
  return { level: 'failure', message }
}

export function warning(message: string): Finding {
  return { level: 'warning', message }
}
