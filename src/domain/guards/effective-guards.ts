/** What holds for a plan: its profile's guards, made stricter or changed by whoever else has a say, and who that was. */
import type { Guards } from '../profile/profile.ts'
import type { GuardOverlay } from './guard-overlay.ts'

export interface EffectiveGuards {
  readonly maxToolCallsPerStep: number | null
  readonly maxTotalCost: number | null
  /** Every list must have the tool; none: every tool may run. */
  readonly toolAllowlists: readonly (readonly string[])[]
  readonly toolDenylist: readonly string[]
  readonly requireApprovalForWrites: boolean
  readonly requireApprovalForApply: boolean
}

/** plan: changed on this plan after it was made. */
export type GuardSource = 'profile' | 'action' | 'plan' | 'parent'

export interface Sourced<Value> {
  readonly value: Value
  /** Null where nobody set it. */
  readonly source: GuardSource | null
}

export interface SourcedGuards {
  readonly maxToolCallsPerStep: Sourced<number | null>
  readonly maxTotalCost: Sourced<number | null>
  readonly toolAllowlists: readonly Sourced<readonly string[]>[]
  readonly toolDenylist: readonly Sourced<string>[]
  readonly requireApprovalForWrites: Sourced<boolean>
  readonly requireApprovalForApply: Sourced<boolean>
}

export function guardsFrom(source: GuardSource, guards: Guards | null): SourcedGuards {
  const limit = (value: number | null) => ({ value, source: value === null ? null : source })
  const demand = (value: boolean) => ({ value, source: value ? source : null })
  return {
    maxToolCallsPerStep: limit(guards?.maxToolCallsPerStep ?? null),
    maxTotalCost: limit(guards?.maxTotalCost ?? null),
    toolAllowlists: guards?.toolAllowlist ? [{ value: guards.toolAllowlist, source }] : [],
    toolDenylist: (guards?.toolDenylist ?? []).map(value => ({ value, source })),
    requireApprovalForWrites: demand(guards?.requireApprovalForWrites ?? false),
    requireApprovalForApply: demand(guards?.requireApprovalForApply ?? false),
  }
}

/** What a plan begins with: an action can only make its profile's guards stricter. */
export function guardsAtFirst(profile: Guards | null, action: Guards | null): SourcedGuards {
  return strictest(guardsFrom('action', action), guardsFrom('profile', profile))
}

/** Field by field the stricter; where both are as strict, the second is named. */
export function strictest(one: SourcedGuards, other: SourcedGuards): SourcedGuards {
  return {
    maxToolCallsPerStep: least(one.maxToolCallsPerStep, other.maxToolCallsPerStep),
    maxTotalCost: least(one.maxTotalCost, other.maxTotalCost),
    toolAllowlists: union(one.toolAllowlists, other.toolAllowlists),
    toolDenylist: union(one.toolDenylist, other.toolDenylist),
    requireApprovalForWrites: either(one.requireApprovalForWrites, other.requireApprovalForWrites),
    requireApprovalForApply: either(one.requireApprovalForApply, other.requireApprovalForApply),
  }
}

function least(one: Sourced<number | null>, other: Sourced<number | null>): Sourced<number | null> {
  if (other.value === null) return one
  return one.value === null || other.value <= one.value ? other : one
}

function either(one: Sourced<boolean>, other: Sourced<boolean>): Sourced<boolean> {
  return other.value ? other : one
}

function union<Value>(one: readonly Sourced<Value>[], other: readonly Sourced<Value>[]): Sourced<Value>[] {
  const same = (value: Value) => other.some(each => JSON.stringify(each.value) === JSON.stringify(value))
  return [...one.filter(({ value }) => !same(value)), ...other]
}

/** What was changed on a plan takes the place of what was there, stricter or not. */
export function overlaid(base: SourcedGuards, overlay: GuardOverlay | null): SourcedGuards {
  if (overlay === null) return base
  const { maxToolCallsPerStep, maxTotalCost, toolAllowlist, denied, undenied } = overlay
  const { requireApprovalForWrites, requireApprovalForApply } = overlay
  const source = 'plan' as const
  const kept = base.toolDenylist.filter(({ value }) => !undenied.includes(value) && !denied.includes(value))
  return {
    maxToolCallsPerStep:
      maxToolCallsPerStep === undefined ? base.maxToolCallsPerStep : { value: maxToolCallsPerStep, source },
    maxTotalCost: maxTotalCost === undefined ? base.maxTotalCost : { value: maxTotalCost, source },
    toolAllowlists:
      toolAllowlist === undefined
        ? base.toolAllowlists
        : toolAllowlist === null
          ? []
          : [{ value: toolAllowlist, source }],
    toolDenylist: [...kept, ...denied.map(value => ({ value, source }))],
    requireApprovalForWrites:
      requireApprovalForWrites === undefined
        ? base.requireApprovalForWrites
        : { value: requireApprovalForWrites, source },
    requireApprovalForApply:
      requireApprovalForApply === undefined
        ? base.requireApprovalForApply
        : { value: requireApprovalForApply, source },
  }
}

export function valuesOf(guards: SourcedGuards): EffectiveGuards {
  return {
    maxToolCallsPerStep: guards.maxToolCallsPerStep.value,
    maxTotalCost: guards.maxTotalCost.value,
    toolAllowlists: guards.toolAllowlists.map(({ value }) => value),
    toolDenylist: guards.toolDenylist.map(({ value }) => value),
    requireApprovalForWrites: guards.requireApprovalForWrites.value,
    requireApprovalForApply: guards.requireApprovalForApply.value,
  }
}
