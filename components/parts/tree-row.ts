import type { DecisionView } from '../../src/a2a/protocol/views/decision.ts'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { childrenOf, isSpawn, type Mark, markOf, markOfPlan } from '../../stores/marks.ts'
import type { ChildPlan, TreeItem } from '../../stores/plan-tree.ts'
import type { TreeNode } from '../../stores/tree.ts'
import type { TreeLine } from '../../stores/tree-window.ts'
import type { TextToken } from '../../themes/tokens.ts'
import { type Look, line, markSegment } from '../look.ts'
import { countsSegments, markTones, nameBelow, oneLine, scoreWord, stateWord, typeWord } from '../words.ts'
import type { Segment } from './format-line.ts'
import { barSegments, budgetUse, budgetWord, toneOfUse } from './limit-rows.ts'
import type { Selection } from './plan-row.ts'

export interface TreeRowOptions {
  readonly width: number
  readonly selection: Selection
  /** A preview of a correction says for each node what would happen to it. */
  readonly fate?: Fate | undefined
  /** What is known of the plans: of their budgets, of which a node knows nothing. */
  readonly plans?: ReadonlyMap<string, PlanView> | undefined
  /** Plans in which, or below which, a question is open. */
  readonly waiting?: ReadonlySet<string>
}

export interface Fate {
  /** Null: its own. */
  readonly mark: Mark | null
  readonly word: string
  readonly tone?: TextToken
}

/** One node: guides, mark, kind, what was chosen; change counts and confidence stay at the right edge. */
export function treeRow(look: Look, row: TreeLine<TreeItem>, options: TreeRowOptions): string {
  const { node } = row
  const { width, selection, fate, waiting } = options
  const mark = fate?.mark ?? markOf(node, waiting)
  const left = [
    { text: selection === 'none' ? ' ' : look.glyphs.selected, tone: 'accent' as const },
    { text: guidesOf(look, row, width), tone: 'guide' as const },
    markSegment(look, mark),
    { text: ' ' },
    ...textOf(node, mark),
  ]
  const right = fate
    ? [{ text: `${fate.word} `, tone: fate.tone ?? ('muted' as const) }]
    : [...foldedCount(node), ...budgetOf(look, node, options), ...rightOf(node)]
  return line(look, { left, right, width, surface: selection === 'focused' ? 'selection' : undefined })
}

/** Of a deep node only the innermost levels are drawn, so that its text keeps its room. */
function guidesOf(look: Look, { continues, depth }: TreeLine<TreeItem>, width: number): string {
  const { guides, ellipsis } = look.glyphs
  if (depth === 0) return ''
  const most = Math.max(2, Math.floor(width / 6))
  const levels = continues.slice(-Math.min(depth, continues.length, most))
  const stem = levels.slice(0, -1).map(more => (more ? guides.through : guides.blank))
  const cut = depth > levels.length ? ellipsis : ''
  return cut + stem.join('') + (levels.at(-1) ? guides.branch : guides.last)
}

function textOf(node: TreeNode<TreeItem>, mark: Mark): Segment[] {
  const { item } = node
  if (item.kind === 'gate') return gateText(item.gate)
  if (item.kind === 'plan') return planText(item.plan)
  const { decision } = item
  const isOld = decision.status === 'superseded'
  const tone = isOld ? 'superseded' : mark === 'failed' ? 'danger' : 'text'
  return [
    { text: typeWord(decision.type).padEnd(9), tone: isOld ? 'superseded' : kindTone(decision) },
    { text: ` ${oneLine(decision.chosen_option.label)}`, tone },
    ...questionAfter(decision),
  ]
}

function gateText(gate: GateView): Segment[] {
  return [
    { text: 'waits    ', tone: 'waiting' },
    { text: ` ${oneLine(gate.question)}`, tone: 'waiting' },
  ]
}

function planText(plan: ChildPlan): Segment[] {
  return [
    { text: 'plan     ', tone: 'child' },
    { text: ` ${oneLine(nameBelow(plan.name))}`, tone: plan.state === 'errored' ? 'danger' : 'text' },
    ...(plan.reason ? [{ text: `  ${oneLine(plan.reason)}`, tone: 'muted' as const }] : []),
  ]
}

/** The chosen label alone often says little ("yes"); where there is room the question stands behind it. */
function questionAfter(decision: DecisionView): Segment[] {
  const isGiven = ['prompt_definition', 'invariant_enforced', 'user_intervention'].includes(decision.type)
  return isGiven ? [] : [{ text: `  ${oneLine(decision.question)}`, tone: 'muted' }]
}

function foldedCount(node: TreeNode<TreeItem>): Segment[] {
  // The mark of child plans says that they are folded.
  if (node.isOpen || node.childRows === 0 || node.item.kind === 'plan' || isSpawn(node)) return []
  return [{ text: `${node.childRows} folded  `, tone: 'accent' }]
}

function kindTone(decision: DecisionView): TextToken {
  if (decision.is_correction || decision.type === 'user_intervention') return 'correction'
  return decision.type.startsWith('subplan_') ? 'child' : 'muted'
}

function rightOf(node: TreeNode<TreeItem>): Segment[] {
  const { item } = node
  if (item.kind === 'gate') return gateRight(item.gate)
  if (item.kind === 'plan') return planRight(item.plan)
  const { decision } = item
  if (item.isAwaited) return [{ text: 'to be taken again ', tone: 'correction' }]
  if (decision.status === 'superseded')
    return [
      {
        text: `${decision.superseded_reason === 'rollback' ? 'rolled back' : 'superseded'} `,
        tone: 'superseded',
      },
    ]
  const changes = decision.changes
  const counts = changes && (changes.files > 0 || isSpawn(node)) ? countsSegments(changes) : []
  const score = decision.gate_confidence?.effective ?? decision.confidence
  const confidence: Segment[] =
    score === null ? [{ text: '     ' }] : [{ text: ` ${scoreWord(score).padStart(3)} `, tone: 'muted' }]
  return [...doneCount(node), ...counts, ...(counts.length > 0 || score !== null ? confidence : [])]
}

/** How many of the plans started here have ended well. Those that were cancelled cannot any more. */
function doneCount(node: TreeNode<TreeItem>): Segment[] {
  const marks = childrenOf(node).map(({ plan }) => markOfPlan(plan))
  const cancelled = marks.filter(mark => mark === 'superseded').length
  const others = marks.length - cancelled
  const done = `${marks.filter(mark => mark === 'done').length} of ${others} done`
  const words = [...(others > 0 ? [done] : []), ...(cancelled > 0 ? [`${cancelled} cancelled`] : [])]
  return words.length === 0 ? [] : [{ text: `${words.join(', ')}  `, tone: 'child' }]
}

function planRight(plan: ChildPlan): Segment[] {
  const { changes } = plan
  const counts = changes && changes.files > 0 ? countsSegments(changes) : []
  const mark = markOfPlan(plan)
  return [...counts, { text: ` ${stateWord(plan)} `, tone: mark === 'done' ? 'muted' : markTones[mark] }]
}

/** How much a child plan has used of its slice, with the plans below it. */
function budgetOf(look: Look, { item }: TreeNode<TreeItem>, { plans, width }: TreeRowOptions): Segment[] {
  const budget = item.kind === 'plan' ? plans?.get(item.plan.plan_id)?.budget : undefined
  const use = budget && budgetUse(budget)
  if (!use) return []
  const words: Segment[] =
    width < 70 ? [] : [{ text: ` ${budgetWord(budget)}`, tone: toneOfUse(use) ?? 'muted' }]
  return [...barSegments(look, use, 5), ...words, { text: '  ' }]
}

function gateRight({ confidence, threshold }: GateView): Segment[] {
  if (confidence === null || threshold === null || confidence >= threshold) return []
  return [{ text: `${scoreWord(confidence)}<${scoreWord(threshold)} `, tone: 'waiting' }]
}
