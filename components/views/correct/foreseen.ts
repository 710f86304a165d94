/** What a correction, or taking one back, would do: the same words and marks for each, from what the backend foresees. */
import type { CorrectionView, ImpactView } from '../../../src/a2a/protocol/views/correction.ts'
import type { DecisionView } from '../../../src/a2a/protocol/views/decision.ts'
import type { RollbackImpactView, RollbackView } from '../../../src/a2a/protocol/views/rollback.ts'
import type { Model } from '../../../stores/model.ts'
import {
  decisionItem,
  isHidden,
  type PlanTree,
  rootDecision,
  type TreeItem,
  treeRules,
} from '../../../stores/plan-tree.ts'
import { openCopy, putNode, setOpen, type Tree, type TreeNode } from '../../../stores/tree.ts'
import type { TextToken } from '../../../themes/tokens.ts'
import type { Fate } from '../../parts/tree-row.ts'
import { countsText, countWord, nameBelow } from '../../words.ts'

export interface Foreseen {
  readonly digest: string
  /** In a sentence or two: how much, and how far back. */
  readonly summary: string
  /** What nothing takes back, in a few words; the facts say it whole. */
  readonly alarm: string | null
  /** Why it cannot be done at all. */
  readonly obstacle: string | null
  /** The plan's tree as it is now, everything open. */
  readonly tree: Tree<TreeItem>
  /** Where one looks first. */
  readonly startsAt: string | null
  readonly fateOf: (node: TreeNode<TreeItem>) => Foretold
  /** Beside the tree: files, questions, and above all what cannot be undone. */
  readonly facts: readonly FactGroup[]
}

/** What becomes of one row, and why. */
export interface Foretold extends Fate {
  readonly why: string
}

export interface FactGroup {
  readonly title: string
  readonly tone: TextToken
  readonly texts: readonly string[]
}

type Restores = Pick<ImpactView, 'restored' | 'left_alone' | 'cannot_restore' | 'gates_again'>

/** The decision is taken again, and what depended on it. */
export function foreseenRevert(planTree: PlanTree, correction: CorrectionView): Foreseen {
  const { impact, decision_id, guidance } = correction
  const redone = new Map(impact.decisions.map(each => [each.decision_id, each.why]))
  const kept = new Set(impact.kept)
  const cancelled = new Set(impact.plans.map(each => each.plan_id))
  return {
    digest: impact.digest,
    summary: `${revertCounts(impact)}. ${tierWords[impact.tier]}`,
    alarm: alarmOf(impact),
    obstacle:
      impact.tier === 'none'
        ? 'This cannot be taken back. Go back with esc, and add work on top instead.'
        : null,
    tree: treeShown(planTree, { about: decision_id }),
    startsAt: decision_id,
    fateOf(node) {
      const { item } = node
      if (item.kind === 'gate') return voided
      if (item.kind === 'plan') return isWithin(node, cancelled) ? cancelledWith(item.plan.state) : stays
      if (node.id === decision_id) return corrected(item.decision, guidance)
      const why = redone.get(node.id)
      if (why !== undefined) return redoneFor(why, item.decision.changes)
      if (isWithin(node, cancelled)) return cancelledWith('')
      return kept.has(node.id) ? keeps : stays
    },
    facts: [...factsFirst(impact), cancelledFacts(impact), ...restoreFacts(impact)],
  }
}

/** Nothing is taken again; a child plan comes on top. */
export function foreseenAppend(model: Model, planTree: PlanTree, correction: CorrectionView): Foreseen {
  const { impact } = correction
  const plan = model.plans.byId.get(correction.plan_id)
  const base =
    plan?.state === 'applied'
      ? 'starts from your files as they are now, and asks before it changes them'
      : 'works on top of the present result'
  const tree = treeShown(planTree, { about: null })
  putAdded(tree, planTree, correction)
  return {
    digest: impact.digest,
    summary: `Everything stays as it is. A child plan with your words ${base}.`,
    alarm: alarmOf(impact),
    obstacle: null,
    tree,
    startsAt: addedIds.said,
    fateOf: node => addedFates[node.id] ?? stays,
    facts: [...factsFirst(impact), ...restoreFacts(impact)],
  }
}

const addedIds = { said: 'added said', spawn: 'added spawn' } as const

const addedFates: Readonly<Record<string, Foretold>> = {
  [addedIds.said]: { mark: 'toCome', word: 'added', tone: 'child', why: 'Your words, as they will be kept.' },
  [addedIds.spawn]: {
    mark: 'child',
    word: 'added',
    tone: 'child',
    why: 'The plan that does it, with questions of its own.',
  },
}

/** The two decisions that an append records, before they are. */
function putAdded(tree: Tree<TreeItem>, planTree: PlanTree, { guidance }: CorrectionView): void {
  const root = rootDecision(planTree)
  if (!root) return
  const added = {
    ...root,
    number: 0,
    parent_decision_id: root.decision_id,
    changes: null,
    alternatives: [],
    question: '',
  }
  const put = (id: string, of: Partial<DecisionView>) => {
    const item = decisionItem(planTree, root.decision_id)
    if (item)
      putNode(tree, { id, parentId: root.decision_id, item: { ...item, decision: { ...added, ...of } } })
  }
  put(addedIds.said, { type: 'user_intervention', chosen_option: { ...root.chosen_option, label: guidance } })
  put(addedIds.spawn, {
    type: 'subplan_spawn',
    chosen_option: { ...root.chosen_option, label: 'a child plan' },
  })
}

/** The last correction or rollback is taken back. */
export function foreseenUndo(planTree: PlanTree, { impact, checkpoint }: RollbackView): Foreseen {
  const back = new Map(impact.decisions_again.map(each => [each.decision_id, each.why]))
  const gone = new Map(impact.decisions.map(each => [each.decision_id, each.why]))
  return {
    digest: impact.digest,
    summary: `Everything is again as it was ${checkpoint.label}: ${undoCounts(impact)}. This can itself be taken back.`,
    alarm: null,
    obstacle: null,
    tree: treeShown(planTree, { about: null, again: back }),
    startsAt: impact.decisions_again[0]?.decision_id ?? impact.decisions[0]?.decision_id ?? null,
    fateOf(node) {
      if (node.item.kind === 'gate') return voided
      if (back.has(node.id))
        return {
          mark: 'correction',
          word: 'holds again',
          tone: 'correction',
          why: reasonOf(back.get(node.id)),
        }
      if (gone.has(node.id))
        return { mark: 'rolledBack', word: 'taken back', tone: 'warning', why: reasonOf(gone.get(node.id)) }
      return stays
    },
    facts: [cancelledFacts(impact), ...restoreFacts(impact)],
  }
}

const tierWords: Readonly<Record<ImpactView['tier'], string>> = {
  full: 'Reasoning and files go back to this decision; what does not depend on it keeps its result.',
  phase: 'This sandbox has no states to return to, so the whole phase is done again.',
  none: 'There is no way back to this decision.',
}

const stays: Foretold = { mark: null, word: 'stays', why: 'Nothing happens to it.' }

const keeps: Foretold = {
  mark: 'done',
  word: 'kept',
  tone: 'success',
  why: 'Made later, but it does not depend on what is taken again: it keeps its result, and none of its steps runs again.',
}

const voided: Foretold = {
  mark: 'waits',
  word: 'asked again',
  tone: 'waiting',
  why: 'The question is void; it is asked again when the plan comes to it.',
}

function corrected({ alternatives }: DecisionView, guidance: string): Foretold {
  const option = alternatives.find(each => each.id === guidance)
  return {
    mark: 'correction',
    word: 'corrected here',
    tone: 'correction',
    why: option ? `Taken again as: ${option.label}` : `Taken again with your guidance: ${guidance}`,
  }
}

function redoneFor(
  why: string,
  changes: { files: number; additions: number; deletions: number } | null,
): Foretold {
  const reason = reasonOf(why)
  if (!changes || changes.files === 0)
    return { mark: 'correction', word: 'redone', tone: 'correction', why: reason }
  return {
    mark: 'rolledBack',
    word: 'rolled back, redone',
    tone: 'warning',
    why: `${reason} Its changes are taken back first: ${countWord(changes.files, 'file')}, ${countsText(changes)}.`,
  }
}

function cancelledWith(state: string): Foretold {
  const now = state === '' ? '' : ` It is ${state.replaceAll('_', ' ')} now.`
  return {
    mark: 'superseded',
    word: 'cancelled',
    tone: 'danger',
    why: `The decision that started this plan is taken again, so the plan is cancelled.${now}`,
  }
}

function reasonOf(why: string | undefined): string {
  const text = why ?? ''
  return text === '' ? '' : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

function alarmOf({ irreversible }: ImpactView): string | null {
  if (irreversible.length === 0) return null
  return `${countWord(irreversible.length, 'thing')} that ran before cannot be undone: look under "Cannot be undone".`
}

function revertCounts(impact: ImpactView): string {
  const redone = impact.decisions.length
  return [
    `${countWord(redone, 'decision is', 'decisions are')} taken again`,
    ...(impact.kept.length > 0 ? [`${impact.kept.length} kept`] : []),
    ...(impact.restored.length > 0 ? [`${countWord(impact.restored.length, 'file')} restored`] : []),
    ...(impact.plans.length > 0 ? [`${countWord(impact.plans.length, 'child plan')} cancelled`] : []),
  ].join(', ')
}

function undoCounts(impact: RollbackImpactView): string {
  return [
    `${countWord(impact.decisions_again.length, 'decision holds', 'decisions hold')} again`,
    ...(impact.decisions.length > 0 ? [`${impact.decisions.length} taken back`] : []),
    ...(impact.restored.length > 0 ? [`${countWord(impact.restored.length, 'file')} restored`] : []),
  ].join(', ')
}

function cancelledFacts({ plans }: Pick<ImpactView, 'plans'>): FactGroup {
  return {
    title: 'Child plans cancelled',
    tone: 'text',
    texts: plans.map(({ name }) => nameBelow(name)),
  }
}

/** What somebody must know before anything else. */
function factsFirst(impact: ImpactView): FactGroup[] {
  return [
    { title: 'Cannot be undone', tone: 'danger', texts: impact.irreversible },
    { title: 'Warnings', tone: 'warning', texts: impact.warnings },
  ]
}

function restoreFacts(impact: Restores): FactGroup[] {
  return [
    { title: 'Cannot be restored', tone: 'warning', texts: impact.cannot_restore.map(reasonText) },
    {
      title: 'Restored in the sandbox',
      tone: 'text',
      texts: impact.restored.map(({ path, how }) => `${path}: ${restoredWords[how]}`),
    },
    { title: 'Asked again', tone: 'text', texts: impact.gates_again },
    { title: 'Left alone', tone: 'muted', texts: impact.left_alone.map(reasonText) },
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

function isWithin(node: TreeNode<TreeItem>, planIds: ReadonlySet<string>): boolean {
  for (let at: TreeNode<TreeItem> | null = node; at; at = at.parent) if (planIds.has(at.id)) return true
  return false
}

/**
 * Everything open but child plans, which are one row each unless it is about a decision in them. Superseded decisions
 * are out of the picture, except those that hold again.
 */
function treeShown(
  { tree }: PlanTree,
  { about, again }: { about: string | null; again?: ReadonlyMap<string, unknown> },
): Tree<TreeItem> {
  const copy = openCopy(tree, {
    ...treeRules,
    isHidden: item => isHidden(item) && !(item.kind === 'decision' && again?.has(item.decision.decision_id)),
  })
  for (const { id, item } of copy.nodes.values()) if (item.kind === 'plan') setOpen(copy, id, 'folded')
  for (let at = copy.nodes.get(about ?? '')?.parent; at?.parent; at = at.parent) setOpen(copy, at.id, 'open')
  return copy
}
