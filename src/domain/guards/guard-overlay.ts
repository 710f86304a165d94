import * as z from 'zod'
import type { Guards } from '../profile/profile.ts'
import type { EffectiveGuards } from './effective-guards.ts'

/** What was changed about the guards of one plan after it was made; a field that is not there was not changed. */
export const guardOverlaySchema = z.object({
  maxToolCallsPerStep: z.number().int().nonnegative().nullable().optional(),
  maxTotalCost: z.number().nonnegative().nullable().optional(),
  toolAllowlist: z.array(z.string()).readonly().nullable().optional(),
  requireApprovalForWrites: z.boolean().optional(),
  requireApprovalForApply: z.boolean().optional(),
  /** Entries added to the denylist. */
  denied: z.array(z.string()).readonly().default([]),
  /** Entries of the profile, or of what else is above, that a person took off. */
  undenied: z.array(z.string()).readonly().default([]),
})
export type GuardOverlay = Readonly<z.infer<typeof guardOverlaySchema>>

const entries = z.array(z.string()).readonly()

export const guardChangeSchema = z.discriminatedUnion('kind', [
  guardOverlaySchema.omit({ denied: true, undenied: true }).extend({ kind: z.literal('set') }),
  z.object({ kind: z.literal('deny'), entries }),
  z.object({ kind: z.literal('undeny'), entries }),
])
export type GuardChange = Readonly<z.infer<typeof guardChangeSchema>>

export function changeOverlay(overlay: GuardOverlay | null, change: GuardChange): GuardOverlay {
  const { denied, undenied, ...set } = overlay ?? { denied: [], undenied: [] }
  switch (change.kind) {
    case 'set': {
      const { kind: _, ...fields } = change
      return { ...set, ...fields, denied, undenied }
    }
    case 'deny':
      return {
        ...set,
        denied: [...new Set([...denied, ...change.entries])],
        undenied: undenied.filter(entry => !change.entries.includes(entry)),
      }
    case 'undeny':
      return {
        ...set,
        denied: denied.filter(entry => !change.entries.includes(entry)),
        undenied: [...new Set([...undenied, ...change.entries])],
      }
  }
}

/**
 * What was changed about a parent, as it holds for a child from its beginning. A person who loosened the parent said
 * nothing about the child's action: of what that sets, nothing is loosened. The parent's own guards hold in any case.
 */
export function overlayForChild(overlay: GuardOverlay | null, action: Guards | null): GuardOverlay | null {
  if (overlay === null || action === null) return overlay
  const { denied, undenied, ...set } = overlay
  const isFree = (value: unknown) => value === undefined || value === null || value === false
  const kept = Object.entries(set).filter(([field]) => isFree(action[field as keyof typeof set]))
  return {
    ...Object.fromEntries(kept),
    denied,
    undenied: undenied.filter(entry => !action.toolDenylist?.includes(entry)),
  }
}

/** In words, what lets more through than before; empty when a change only tightens. */
export function loosened(before: EffectiveGuards, after: EffectiveGuards): string[] {
  const isSubset = (list: readonly string[], of: readonly string[]) => list.every(entry => of.includes(entry))
  const undenied = before.toolDenylist.filter(entry => !after.toolDenylist.includes(entry))
  const lists = before.toolAllowlists.filter(list => !after.toolAllowlists.some(each => isSubset(each, list)))
  return [
    ...raised('max_tool_calls_per_step', before.maxToolCallsPerStep, after.maxToolCallsPerStep),
    ...raised('max_total_cost', before.maxTotalCost, after.maxTotalCost),
    ...lists.map(list => `tool_allowlist lets more through than ${list.join(', ') || 'nothing'}`),
    ...undenied.map(entry => `${entry} is taken off tool_denylist`),
    ...dropped(
      'require_approval_for_writes',
      before.requireApprovalForWrites,
      after.requireApprovalForWrites,
    ),
    ...dropped('require_approval_for_apply', before.requireApprovalForApply, after.requireApprovalForApply),
  ]
}

function raised(field: string, before: number | null, after: number | null): string[] {
  if (before === null || (after !== null && after <= before)) return []
  return [`${field} goes from ${before} to ${after ?? 'no limit'}`]
}

function dropped(field: string, before: boolean, after: boolean): string[] {
  return before && !after ? [`${field} is switched off`] : []
}
