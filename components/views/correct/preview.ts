import type { CorrectionView } from '../../../src/a2a/protocol/views/correction.ts'
import type { RollbackView } from '../../../src/a2a/protocol/views/rollback.ts'
import type { PlanTree } from '../../../stores/plan-tree.ts'
import type { Fetched } from '../../../stores/shelf.ts'
import { rowOf } from '../../../stores/tree-window.ts'
import type { Size } from '../../../stores/ui.ts'
import type { CorrectDialog, UndoDialog } from '../../dialogs.ts'
import { pageInside } from '../../layout.ts'
import { wrapped } from '../../look.ts'
import type { Segment } from '../../parts/format-line.ts'
import type { Situation } from '../../situation.ts'
import type { ViewProps } from '../view.ts'
import { guidanceOf } from './choices.ts'
import { type Foreseen, foreseenAppend, foreseenRevert, foreseenUndo } from './foreseen.ts'

export type PreviewDialog = CorrectDialog | UndoDialog

export function previewKey(
  dialog: Pick<CorrectDialog, 'planId' | 'decisionId' | 'mode' | 'optionId' | 'actionName' | 'guidance'>,
): string {
  const { planId, decisionId, mode, actionName } = dialog
  return [planId, decisionId, mode, actionName ?? '', guidanceOf(dialog)].join(' ')
}

/** What is foreseen for a dialog, as far as the backend has said. */
export function foreseenFor(
  { situation, shelves }: Pick<ViewProps, 'situation' | 'shelves'>,
  dialog: PreviewDialog,
): Fetched<Foreseen> {
  const fetched =
    dialog.kind === 'undo' ? shelves.undos.peek(dialog.planId) : shelves.previews.peek(previewKey(dialog))
  if (fetched?.kind !== 'ready') return fetched ?? { kind: 'loading' }
  const planTree = treeFor(situation, dialog)
  if (!planTree) return { kind: 'failed', message: 'The tree of this plan is no longer known.' }
  return { kind: 'ready', value: foreseenOnce(situation, planTree, fetched.value) }
}

const known = new WeakMap<CorrectionView | RollbackView, Foreseen>()

/** The tree is copied once for each answer, as it was when the answer came. */
function foreseenOnce(
  { model }: Situation,
  planTree: PlanTree,
  answer: CorrectionView | RollbackView,
): Foreseen {
  const before = known.get(answer)
  if (before) return before
  const foreseen =
    'checkpoint' in answer
      ? foreseenUndo(planTree, answer)
      : answer.mode === 'append'
        ? foreseenAppend(model, planTree, answer)
        : foreseenRevert(planTree, answer)
  known.set(answer, foreseen)
  return foreseen
}

function treeFor({ model, ui }: Situation, dialog: PreviewDialog): PlanTree | undefined {
  const shown = model.trees.get(ui.selectedPlanId ?? '')
  const id = dialog.kind === 'undo' ? dialog.planId : dialog.decisionId
  const holds = (planTree: PlanTree) => planTree.planId === id || planTree.tree.nodes.has(id)
  return shown && holds(shown) ? shown : [...model.trees.values()].find(holds)
}

/**
 * Where things stand. Tree and facts are one list for the keys: side by side where there is room, else the facts below
 * the tree.
 */
export interface PreviewLayout {
  readonly treeWidth: number
  readonly factsWidth: number
  readonly isBeside: boolean
}

const besideFrom = 100

export function previewLayout(size: Size): PreviewLayout {
  const { width } = pageInside(size)
  if (size.columns < besideFrom) return { treeWidth: width, factsWidth: width, isBeside: false }
  const factsWidth = Math.max(38, Math.min(80, Math.round(width * 0.36)))
  return { treeWidth: width - factsWidth - 1, factsWidth, isBeside: true }
}

export function factRows(foreseen: Foreseen, width: number): Segment[][] {
  const groups = foreseen.facts.filter(group => group.texts.length > 0)
  return groups.flatMap(({ title, tone, texts }, at) => [
    ...(at === 0 ? [] : [[]]),
    [{ text: title, tone: 'heading' as const }],
    ...texts.flatMap(text => wrapped(text, width - 2, tone, 2)),
  ])
}

/** The row that the keys stand on: of the tree first, then of the facts. */
export function previewRow(foreseen: Foreseen, dialog: PreviewDialog): number {
  const { at } = dialog
  if (typeof at === 'number') return foreseen.tree.root.rows + at
  const node = foreseen.tree.nodes.get(at ?? foreseen.startsAt ?? '')
  return node ? rowOf(foreseen.tree, node) : 0
}
