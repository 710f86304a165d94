import type { ActiveInvariantView, InvariantView } from '../../a2a/protocol/views/invariant.ts'
import type { Paper } from './paper.ts'
import { factLines, tableLines } from './table.ts'
import { oneLine, shortId } from './words.ts'

type Rule = InvariantView['rule']

export function invariantsLines(
  { invariants }: { readonly invariants: readonly InvariantView[] },
  paper: Paper,
): string[] {
  const rows = invariants.map(each => [
    shortId(each.invariant_id),
    placeText(each),
    ruleText(each.rule) ?? '',
    oneLine(each.text),
  ])
  return tableLines(
    {
      head: ['INVARIANT', 'HOLDS FOR', 'RULE', 'WHAT STAYS TRUE'],
      rows,
      flexible: 3,
      empty: 'No invariants. State one with: agents invariant add TEXT --project .',
    },
    paper,
  )
}

export function invariantLines(invariant: InvariantView, paper: Paper): string[] {
  const facts = [
    ['invariant', invariant.invariant_id],
    ['holds for', placeText(invariant)],
    ['rule', ruleText(invariant.rule)],
    ['stated', `${invariant.created_at} by ${invariant.stated_by}`],
  ] as const
  return [paper.paint('strong', oneLine(invariant.text)), ...factLines(facts, paper)]
}

function placeText({ scope, subject, from_action, non_overridable }: InvariantView): string {
  if (scope === 'global') return non_overridable ? 'all plans, not overridable' : 'all plans'
  const from = from_action === null ? '' : ` (from ${from_action})`
  return `${scope} ${oneLine(subject ?? '')}${from}`
}

export function effectiveLines(
  { invariants }: { readonly invariants: readonly ActiveInvariantView[] },
  paper: Paper,
): string[] {
  if (invariants.length === 0) return ['No invariants hold here.']
  return invariants.flatMap(each => [
    `${paper.marks.dot} ${paper.paint('strong', oneLine(each.text))}`,
    ...factLines(
      [
        [
          'of',
          [each.source, ...each.also_from].join(', ') + (each.non_overridable ? ', not overridable' : ''),
        ],
        ['rule', each.rule && `${ruleText(each.rule)}${each.checked ? ', checked before Apply' : ''}`],
        ...each.over.map(other => ['over', `${oneLine(other.text)}: ${other.why}`] as const),
      ],
      paper,
    ),
  ])
}

function ruleText(rule: Rule): string | null {
  if (rule === null) return null
  return rule.key === 'path' ? `${rule.rule} ${rule.value}` : `${rule.key} ${rule.rule} ${rule.value}`
}
