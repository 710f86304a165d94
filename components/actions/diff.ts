import { togglePicks, type Unit } from '../../stores/picks.ts'
import { selectedNode, selectedPlan } from '../../stores/selectors.ts'
import { popDialog } from '../../stores/ui.ts'
import type { DiffDialog, DiffSource } from '../dialogs.ts'
import { fetchedDiff, hunkAt, rowsOf, type ShownFile, shownFile, unitsOf } from '../diff-model.ts'
import { changeTop, changeUi, push, type Screen, situationOf, topDialog } from '../screen.ts'
import { scrollBy } from '../scroll.ts'
import { diffHeight } from '../views/diff/diff-size.ts'
import { oneLine } from '../words.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { moves } from './scroll-page.ts'

const sidewaysCells = 8

/** In the tree the diff of the selected decision, elsewhere that of the whole plan. */
export function openDiff(screen: Screen): void {
  const source = sourceNow(screen)
  if (source) showDiff(screen, source)
}

export function showDiff(screen: Screen, source: DiffSource): void {
  push(screen, { kind: 'diff', source, file: 0, hunk: 0, top: 0, left: 0, wrap: 'cut', expanded: [] })
}

const handlers: Handlers<'diff'> = {
  ...moves((screen, steps) => change(screen, (now, shown) => scrolled(screen, now, shown, now.top + steps))),
  nextFile: screen => toFile(screen, 1),
  previousFile: screen => toFile(screen, -1),
  nextHunk: screen => change(screen, (now, shown) => atHunk(screen, now, shown, now.hunk + 1)),
  previousHunk: screen => change(screen, (now, shown) => atHunk(screen, now, shown, now.hunk - 1)),
  left: screen => change(screen, now => ({ ...now, left: Math.max(0, now.left - sidewaysCells) })),
  right: screen =>
    change(screen, (now, shown) => ({
      ...now,
      left: Math.min(now.left + sidewaysCells, Math.max(0, shown.index.longestLine - sidewaysCells)),
    })),
  choose: screen => pick(screen, (units, { file, hunk }) => (units[file] ?? []).slice(hunk, hunk + 1)),
  chooseFile: screen => pick(screen, (units, dialog) => units[dialog.file] ?? []),
  wrap: screen => change(screen, now => ({ ...now, wrap: now.wrap === 'wrap' ? 'cut' : 'wrap', left: 0 })),
  expand: screen => change(screen, now => ({ ...now, expanded: [...new Set([...now.expanded, now.file])] })),
  sideBySide(screen) {
    changeUi(screen, ui => ({ ...ui, diffLayout: ui.diffLayout === 'unified' ? 'sideBySide' : 'unified' }))
    // The hunk that was looked at is looked at again.
    change(screen, (now, shown) => atHunk(screen, now, shown, now.hunk))
  },
  back: screen => changeUi(screen, popDialog),
}

export const diff: Behaviour = { handlers }

function sourceNow(screen: Screen): DiffSource | null {
  const { model, ui } = situationOf(screen)
  const plan = selectedPlan(model, ui)
  if (!plan) return null
  const selected = ui.focus === 'plans' ? { kind: 'none' as const } : selectedNode(model, ui)
  const whole = {
    planId: plan.plan_id,
    decisionId: null,
    correctionId: null,
    against: null,
    title: oneLine(plan.name),
  }
  if (selected.kind !== 'shown' || selected.node.item.kind === 'gate') return whole
  const { item } = selected.node
  const own = model.plans.byId.get(item.kind === 'plan' ? item.plan.plan_id : item.decision.plan_id) ?? plan
  const ownWhole = { ...whole, planId: own.plan_id, title: oneLine(own.name) }
  // The first decision is the plan itself.
  if (item.kind === 'plan' || item.decision.parent_decision_id === null) return ownWhole
  const { decision } = item
  return {
    ...ownWhole,
    decisionId: decision.decision_id,
    title: `${oneLine(own.name)} #${decision.number} ${oneLine(decision.chosen_option.label)}`,
  }
}

function change(screen: Screen, next: (dialog: DiffDialog, shown: ShownFile) => DiffDialog): void {
  const dialog = topDialog(screen, 'diff')
  const fetched = dialog && fetchedDiff(screen.store.shelves, dialog.source)
  const shown = fetched?.kind === 'ready' && dialog ? shownFile(fetched.value, dialog) : null
  if (shown) changeTop(screen, 'diff', now => next(now, shown))
}

function pick(screen: Screen, wanted: (units: Unit[][], dialog: DiffDialog) => readonly Unit[]): void {
  const dialog = topDialog(screen, 'diff')
  const fetched = dialog && fetchedDiff(screen.store.shelves, dialog.source)
  if (!dialog || fetched?.kind !== 'ready') return
  const { planId } = dialog.source
  const units = wanted(unitsOf(fetched.value), dialog)
  changeUi(screen, ui => {
    const picks = togglePicks(ui.picks[planId] ?? null, fetched.value.digest, units)
    return { ...ui, picks: { ...ui.picks, [planId]: picks } }
  })
}

function scrolled(screen: Screen, now: DiffDialog, shown: ShownFile, top: number): DiffDialog {
  const { size, diffLayout } = screen.store.ui()
  const height = diffHeight(size, diffLayout)
  const rows = rowsOf(shown, diffLayout)
  const count = rows.count + (shown.hiddenCount > 0 ? 1 : 0)
  // Wrapped lines take more rows than are counted here, so the end must be reachable line by line.
  const view = { count, height: now.wrap === 'wrap' ? 1 : height }
  const next = scrollBy(0, top, view)
  return next === now.top ? now : { ...now, top: next, hunk: hunkAt(rows, next) }
}

function atHunk(screen: Screen, now: DiffDialog, shown: ShownFile, wanted: number): DiffDialog {
  const { hunks } = rowsOf(shown, screen.store.ui().diffLayout)
  const hunk = Math.max(0, Math.min(wanted, hunks.length - 1))
  return { ...scrolled(screen, now, shown, hunks[hunk] ?? 0), hunk }
}

function toFile(screen: Screen, steps: 1 | -1): void {
  const dialog = topDialog(screen, 'diff')
  const fetched = dialog && fetchedDiff(screen.store.shelves, dialog.source)
  if (fetched?.kind !== 'ready') return
  const last = fetched.value.files.length - 1
  changeTop(screen, 'diff', now => {
    const file = Math.max(0, Math.min(now.file + steps, last))
    return file === now.file ? now : { ...now, file, hunk: 0, top: 0, left: 0 }
  })
}
