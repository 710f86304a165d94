import type { CommandLine, ShellParser } from './command/command-line.ts'
import type { PartVerdict } from './command/judge-command.ts'
import type { EffectiveGuards } from './effective-guards.ts'

/** A plan of its own, or a child plan. */
export type GuardScope = 'PLAN' | 'SUBPLAN'

/** In the order in which they are asked; the first that stops a call is the one that counts. */
export const guardNames = [
  'denylist',
  'allowlist',
  'call_limit',
  'budget_cap',
  'write_approval',
  'apply_approval',
] as const
export type GuardName = (typeof guardNames)[number]

/** What Apply is called where tools have names. */
export const APPLY_OPERATION = 'plan/apply'

export interface GuardCall {
  readonly tool: string
  readonly isWrite: boolean
  /** US dollars that the plan has cost; null where a price is unknown. */
  readonly costSoFar: number | null
  /** Calls of tools in this step of the actor, before this one. */
  readonly callsSoFar: number
  readonly scope: GuardScope
  readonly isApply: boolean
  /** What it would run, for the tool that runs commands. */
  readonly command: { readonly line: CommandLine; readonly parse: ShellParser } | null
}

export interface GuardVerdict {
  readonly allowed: boolean
  readonly reason: string
  /** True with every stop: a person may let this one call through. */
  readonly requiresApproval: boolean
  /** The guard that stopped it. */
  readonly guard: GuardName | null
  /** Of a command: what the rules say to each part of it. Empty where no rule is about commands. */
  readonly parts: readonly PartVerdict[]
}

/** Why it stops a call, and what can be done about it; null when it has nothing against it. */
export type Guard = (guards: EffectiveGuards, call: GuardCall, parts: readonly PartVerdict[]) => string | null

export const ASK = 'or let a person approve this call'
