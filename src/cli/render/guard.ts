import type { GuardFieldsView, GuardsView, GuardTestView } from '../../a2a/protocol/views/guard.ts'
import type { Paper } from './paper.ts'
import { factLines, tableLines } from './table.ts'

export function guardsLines(guards: GuardsView, paper: Paper): string[] {
  return [
    paper.paint('strong', `Guards of ${guards.plan_name}`),
    ...guardFieldsLines(guards, paper),
    ...guards.loosened.map(words => `${paper.paint('waits', paper.marks.waits)} Loosened: ${words}`),
  ]
}

export function guardFieldsLines(guards: GuardFieldsView, paper: Paper): string[] {
  const { max_tool_calls_per_step, max_total_cost, tool_allowlists, tool_denylist } = guards
  const { require_approval_for_writes, require_approval_for_apply } = guards
  const rows = [
    row('calls of tools in one step', max_tool_calls_per_step, value => value ?? 'no limit'),
    row('cost before a person is asked', max_total_cost, value =>
      value === null ? 'no limit' : `$${value.toFixed(2)}`,
    ),
    ...tool_allowlists.map(({ entries, source }) => [
      'allowed tools',
      entries.join('\n') || 'none',
      source ?? '',
    ]),
    ...(tool_allowlists.length === 0 ? [['allowed tools', 'all', '']] : []),
    ...tool_denylist.map(({ entry, source }) => ['denied', entry, source ?? '']),
    ...(tool_denylist.length === 0 ? [['denied', 'none', '']] : []),
    row('every write is asked about', require_approval_for_writes, yesNo),
    row('Apply is asked about', require_approval_for_apply, yesNo),
  ]
  return tableLines({ head: ['GUARD', 'VALUE', 'FROM'], rows, flexible: 1, empty: '' }, paper)
}

function row<Value>(
  name: string,
  { value, source }: { readonly value: Value; readonly source: string | null },
  words: (value: Value) => string | number,
): string[] {
  return [name, String(words(value)), source ?? '']
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}

const verdictWords = {
  allowed: 'Allowed: it runs by itself.',
  asked: 'Asked: a person decides about this one call.',
  refused: 'Refused: nobody can let it through.',
} as const

export function guardTestLines(test: GuardTestView, paper: Paper): string[] {
  return [
    paper.paint(test.verdict === 'allowed' ? 'strong' : 'waits', verdictWords[test.verdict]),
    ...factLines([['why', test.reason]], paper),
    ...(test.parts.length === 0
      ? []
      : tableLines(
          {
            head: ['PART', 'VERDICT', 'DECIDED BY'],
            rows: test.parts.map(part => [
              part.inside === null ? part.text : `${part.text} (in ${part.inside})`,
              part.verdict.replace('_', ' '),
              part.rule ?? part.why,
            ]),
            flexible: 2,
            empty: '',
          },
          paper,
        )),
  ]
}
