import type { DecisionView, ImpactView, OptionView } from '../../src/a2a/protocol/views.ts'
import type { Mark } from '../../stores/marks.ts'
import type { Model } from '../../stores/model.ts'
import type { PlanTree, TreeItem } from '../../stores/plan-tree.ts'
import type { TreeNode } from '../../stores/tree.ts'
import { windowOf } from '../../stores/tree-window.ts'
import type { CorrectDialog } from '../dialogs.ts'
import { wrapped } from '../look.ts'
import type { Segment } from '../parts/format-line.ts'
import { treeRow } from '../parts/tree-row.ts'
import type { ViewProps } from './view.ts'

export type ChooseRow =
  | { readonly kind: 'alternative'; readonly option: OptionView }
  | { readonly kind: 'words' }
  | { readonly kind: 'append'; readonly whyNot: string }

/** What can be asked for: each recorded alternative, free words, and adding work on top. */
export function chooseRows(decision: DecisionView | null): ChooseRow[] {
  if (!decision) return []
  return [
    ...decision.alternatives.map(option => ({ kind: 'alternative' as const, option })),
    { kind: 'words' },
    { kind: 'append', whyNot: 'Adding work on top without undoing anything is not available yet.' },
  ]
}

export function decisionOf(model: Model, dialog: { decisionId: string }): DecisionView | null {
  for (const planTree of model.trees.values()) {
    const item = planTree.tree.nodes.get(dialog.decisionId)?.item
    if (item?.kind === 'decision') return item.decision
  }
  return null
}

export function previewKey(dialog: Pick<CorrectDialog, 'planId' | 'decisionId' | 'guidance'>): string {
  return [dialog.planId, dialog.decisionId, dialog.guidance.text.trim()].join(' ')
}

/** The whole preview: what happens to each decision, then files, questions and warnings. */
export function previewRows(props: ViewProps, dialog: CorrectDialog, width: number): (string | Segment[])[] {
  const { shelves, situation } = props
  const fetched = shelves.previews.peek(previewKey(dialog))
  if (!fetched || fetched.kind === 'loading') return wrapped('Working out what would change', width, 'muted')
  if (fetched.kind === 'failed') return wrapped(fetched.message, width, 'danger')
  const { impact } = fetched.value
  const planTree = [...situation.model.trees.values()].find(each => each.tree.nodes.has(dialog.decisionId))
  const list = (title: string, items: readonly string[], tone: Segment['tone'] = 'text') =>
    items.length === 0
      ? []
      : [
          [],
          [{ text: title, tone: 'heading' as const }],
          ...items.flatMap(text => wrapped(text, width, tone, 2)),
        ]
  return [
    ...wrapped(summary(impact), width, impact.tier === 'none' ? 'danger' : 'text'),
    ...list('Warnings', impact.warnings, 'warning'),
    [],
    ...(planTree ? fateTree(props, planTree, dialog, impact, width) : []),
    ...list(
      'Restored in the sandbox',
      impact.restored.map(({ path, how }) => `${path}: ${restoredWords[how]}`),
    ),
    ...list('Left alone', impact.left_alone.map(reasonText), 'muted'),
    ...list('Cannot be restored', impact.cannot_restore.map(reasonText), 'warning'),
    ...list('Asked again', impact.gates_again),
    ...(impact.tier === 'none'
      ? [[], ...wrapped('This cannot be corrected. Press esc to go back.', width, 'danger')]
      : []),
  ]
}

const restoredWords: Readonly<Record<ImpactView['restored'][number]['how'], string>> = {
  rewritten: 'put back as it was',
  brought_back: 'brought back',
  removed: 'removed, it was not there then',
}

function reasonText({ what, why }: ImpactView['left_alone'][number]): string {
  return `${what}: ${why}`
}

function summary(impact: ImpactView): string {
  const redone = impact.decisions.length
  const parts = [
    `${redone} ${redone === 1 ? 'decision is' : 'decisions are'} taken again`,
    `${impact.kept.length} kept`,
    `${impact.restored.length} ${impact.restored.length === 1 ? 'file' : 'files'} restored`,
    ...(impact.plans.length > 0 ? [`${impact.plans.length} child plans cancelled`] : []),
  ]
  const tiers = {
    full: 'reasoning and files go back to this decision',
    phase: 'the whole phase is done again',
    none: 'it cannot be undone',
  }
  return `${parts.join(', ')}: ${tiers[impact.tier]}.`
}

function fateTree(
  { look }: ViewProps,
  planTree: PlanTree,
  dialog: CorrectDialog,
  impact: ImpactView,
  width: number,
): string[] {
  const redone = new Set(impact.decisions.map(decision => decision.decision_id))
  const kept = new Set(impact.kept)
  return windowOf(planTree.tree, 0, planTree.tree.root.rows).map(row =>
    treeRow(look, row, {
      width,
      selection: row.node.id === dialog.decisionId ? 'marked' : 'none',
      fate: fateOf(row.node, { redone, kept, dialog }),
    }),
  )
}

function fateOf(
  node: TreeNode<TreeItem>,
  { redone, kept, dialog }: { redone: Set<string>; kept: Set<string>; dialog: CorrectDialog },
): { mark: Mark; word: string } | undefined {
  const { item } = node
  if (item.kind === 'gate') return { mark: 'waits', word: 'asked again' }
  if (item.kind === 'plan') return undefined
  if (item.decision.status === 'superseded') return { mark: 'superseded', word: 'superseded before' }
  if (node.id === dialog.decisionId) return { mark: 'correction', word: 'corrected here' }
  if (!redone.has(node.id)) return { mark: 'done', word: kept.has(node.id) ? 'kept' : 'stays' }
  return (item.decision.changes?.files ?? 0) > 0
    ? { mark: 'rolledBack', word: 'rolled back, redone' }
    : { mark: 'correction', word: 'redone' }
}
