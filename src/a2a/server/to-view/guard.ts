import type { PlanGuards } from '../../../application/guards/change-guards.ts'
import type { GuardTest } from '../../../application/guards/test-guards.ts'
import { warnAboutAllow } from '../../../domain/guards/broad-rule.ts'
import type { PartVerdict } from '../../../domain/guards/command/judge-command.ts'
import type { SourcedGuards } from '../../../domain/guards/effective-guards.ts'
import type { GuardChange } from '../../../domain/guards/guard-overlay.ts'
import type { GuardFieldsView, GuardsView, GuardTestView } from '../../protocol/views/guard.ts'

export function guardsView({ plan, guards, loosened }: PlanGuards): GuardsView {
  return {
    ...guardFieldsView(guards),
    plan_id: plan.planId,
    plan_name: plan.name,
    scope: plan.parentPlanId === null ? 'PLAN' : 'SUBPLAN',
    loosened: [...loosened],
    warnings: guards.toolAllowlists.flatMap(({ value }) =>
      value.flatMap(entry => warnAboutAllow(entry) ?? []),
    ),
  }
}

export function guardFieldsView(guards: SourcedGuards): GuardFieldsView {
  const { maxToolCallsPerStep, maxTotalCost, toolAllowlists, toolDenylist } = guards
  const { requireApprovalForWrites, requireApprovalForApply } = guards
  return {
    max_tool_calls_per_step: maxToolCallsPerStep,
    max_total_cost: maxTotalCost,
    tool_allowlists: toolAllowlists.map(({ value, source }) => ({ entries: [...value], source })),
    tool_denylist: toolDenylist.map(({ value, source }) => ({ entry: value, source })),
    require_approval_for_writes: requireApprovalForWrites,
    require_approval_for_apply: requireApprovalForApply,
  }
}

export function guardTestView({ parts, ...test }: GuardTest): GuardTestView {
  return { ...test, parts: parts.map(partView), warnings: [...test.warnings] }
}

function partView({ part, denied, allowed }: PartVerdict): GuardTestView['parts'][number] {
  const { kind, text, span, inside } = part
  const about = { kind, text, ...span, inside: inside?.part.words[0]?.text ?? null }
  if (denied) return { ...about, verdict: denied.rule === null ? 'unclear' : 'denied', ...denied }
  if (allowed) return { ...about, verdict: 'allowed', ...allowed }
  const why = part.unclear ?? 'no rule of the allowlist allows it'
  return { ...about, verdict: part.unclear === null ? 'not_listed' : 'unclear', rule: null, why }
}

/** In the spelling of the wire; a field that is not there was not changed. */
export function guardChangeView(change: GuardChange): { kind: string } & Record<string, unknown> {
  if (change.kind !== 'set') return { kind: change.kind, entries: [...change.entries] }
  return {
    kind: change.kind,
    max_tool_calls_per_step: change.maxToolCallsPerStep,
    max_total_cost: change.maxTotalCost,
    tool_allowlist: change.toolAllowlist,
    require_approval_for_writes: change.requireApprovalForWrites,
    require_approval_for_apply: change.requireApprovalForApply,
  }
}
