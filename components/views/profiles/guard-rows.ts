import type { GuardsView } from '../../../src/a2a/protocol/views/guard.ts'
import type { PlanView } from '../../../src/a2a/protocol/views/plan.ts'
import type { Fetched } from '../../../stores/shelf.ts'
import { type Look, wrapped } from '../../look.ts'
import type { Segment } from '../../parts/format-line.ts'
import { barSegments } from '../../parts/limit-rows.ts'
import { moneyWord } from '../../words.ts'
import { sourceWord } from './profile-words.ts'
import { absent, fieldRows, valueRows } from './value-rows.ts'

type Rows = Segment[][]

/** The guards of a plan as they are now, each with who set it, and how far its cost is from the one on cost. */
export function guardRows(
  look: Look,
  plan: PlanView,
  { fetched, width }: { readonly fetched: Fetched<GuardsView> | undefined; readonly width: number },
): Rows {
  const head: Segment[] = [{ text: ' Guards, which ask first', tone: 'heading' }]
  if (fetched?.kind !== 'ready') return [head, ...absent(fetched, 'Loading its guards', width)]
  const guards = fetched.value
  const field = (name: string, { value, source }: { value: unknown; source: string | null }) =>
    fieldRows({ field: name, value, source: value === null ? '' : sourceWord(source ?? undefined) }, width)
  return [
    head,
    ...field('max_tool_calls_per_step', guards.max_tool_calls_per_step),
    ...field('max_total_cost', guards.max_total_cost),
    ...costRows(look, plan, guards.max_total_cost.value),
    ...(guards.tool_allowlists.length === 0
      ? field('tool_allowlist', { value: null, source: null })
      : guards.tool_allowlists.flatMap(({ entries, source }) =>
          field('tool_allowlist', { value: entries, source }),
        )),
    ...(guards.tool_denylist.length === 0
      ? field('tool_denylist', { value: null, source: null })
      : guards.tool_denylist.flatMap(({ entry, source }) =>
          valueRows('tool denylist', entry, sourceWord(source ?? undefined), width),
        )),
    ...field('require_approval_for_writes', guards.require_approval_for_writes),
    ...field('require_approval_for_apply', guards.require_approval_for_apply),
    ...guards.warnings.flatMap(text => wrapped(text, width - 2, 'warning', 3)),
  ]
}

function costRows(look: Look, { budget }: PlanView, limit: number | null): Rows {
  if (limit === null) return []
  const share = (usd: number) => (limit <= 0 ? 1 : usd / limit)
  const use = { used: share(budget.spent), reserved: share(budget.reserved) }
  const words = `     ${moneyWord(budget.spent)} of ${moneyWord(limit)} spent  `
  return [[{ text: words, tone: 'muted' }, ...barSegments(look, use, 24)]]
}
