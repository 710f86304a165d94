import type { PlanGuards } from '../../application/guards/change-guards.ts'
import { mapped, type Result, refuse } from '../../domain/failure.ts'
import type { GuardChange } from '../../domain/guards/guard-overlay.ts'
import type { Call, Handler } from './call.ts'
import { guardsView, guardTestView } from './to-view/guard.ts'

export const show: Handler<'_cleveragents/plan/guard/show'> = async ({ plan_id }, { backend }) =>
  mapped(backend.guards(plan_id), guardsView)

export const set: Handler<'_cleveragents/plan/guard/set'> = async (params, call) =>
  mapped(
    change(call, params, {
      kind: 'set',
      ...definedOnly({
        maxToolCallsPerStep: params.max_tool_calls_per_step,
        maxTotalCost: params.max_total_cost,
        toolAllowlist: params.tool_allowlist,
        requireApprovalForWrites: params.require_approval_for_writes,
        requireApprovalForApply: params.require_approval_for_apply,
      }),
    }),
    guardsView,
  )

export const addDenied: Handler<'_cleveragents/plan/guard/denylist/add'> = async (params, call) =>
  mapped(change(call, params, { kind: 'deny', entries: params.entries }), guardsView)

export const removeDenied: Handler<'_cleveragents/plan/guard/denylist/remove'> = async (params, call) =>
  mapped(change(call, params, { kind: 'undeny', entries: params.entries }), guardsView)

interface Asked {
  readonly plan_id: string
  readonly reason?: string | undefined
  readonly dry_run: boolean
}

function change(
  { backend, user }: Pick<Call, 'backend' | 'user'>,
  { plan_id, reason, dry_run }: Asked,
  wanted: GuardChange,
): Result<PlanGuards> {
  return backend.changeGuards({
    planRef: plan_id,
    change: wanted,
    reason: reason ?? null,
    by: user,
    dryRun: dry_run,
  })
}

/** A field that is there and undefined would count as changed. */
function definedOnly<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields // less of the same
}

export const test: Handler<'_cleveragents/guard/test'> = async (params, { backend }) => {
  const { command, folder, plan_id, profile } = params
  if ((plan_id === undefined) === (profile === undefined))
    return refuse('invalid_input', 'Name a profile or a plan, one of them: its guards are what is tested.')
  const found = profile === undefined ? null : backend.profile(profile)
  if (found && !found.ok) return found
  const tested = await backend.testGuards({
    command,
    folder,
    planRef: plan_id ?? null,
    profile: found?.value ?? null,
  })
  return mapped(tested, guardTestView)
}
