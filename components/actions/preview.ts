import { nodeAt } from '../../stores/tree-window.ts'
import { changeDialog } from '../../stores/ui.ts'
import { plainProps } from '../plain-props.ts'
import { changeUi, type Screen, topDialog } from '../screen.ts'
import { moveBy } from '../scroll.ts'
import type { Foreseen } from '../views/correct/foreseen.ts'
import {
  factRows,
  foreseenFor,
  type PreviewDialog,
  previewLayout,
  previewRow,
} from '../views/correct/preview.ts'

/** From row to row: through the tree, then through what stands beside or below it. */
export function moveInPreview(screen: Screen, steps: number): void {
  const dialog = previewDialog(screen)
  const foreseen = dialog && shownIn(screen, dialog)
  if (!dialog || !foreseen) return
  const rows = foreseen.tree.root.rows
  const facts = factRows(foreseen, previewLayout(screen.store.ui().size).factsWidth - 2).length
  const row = moveBy(previewRow(foreseen, dialog), steps, rows + facts)
  const at = row < rows ? (nodeAt(foreseen.tree, row)?.id ?? null) : row - rows
  changeUi(screen, ui => changeDialog(ui, now => (now === dialog ? { ...now, at } : now)))
}

/** Told when a preview has been drawn; only what the terminal has been given can be confirmed. */
export function previewDrawn(screen: Screen, digest: string): void {
  if (screen.previewShown === digest) return
  screen.hooks.afterFrame(() => {
    screen.previewShown = digest
  })
}

/** The digest to confirm: that of the preview in sight, if it can be done and is not already. */
export function digestToConfirm(screen: Screen, dialog: PreviewDialog): string | null {
  const foreseen = shownIn(screen, dialog)
  if (!foreseen || foreseen.obstacle !== null || dialog.sending === 'sending') return null
  return screen.previewShown === foreseen.digest ? foreseen.digest : null
}

function shownIn(screen: Screen, dialog: PreviewDialog): Foreseen | null {
  const fetched = foreseenFor(plainProps(screen), dialog)
  return fetched.kind === 'ready' ? fetched.value : null
}

function previewDialog(screen: Screen): PreviewDialog | null {
  return topDialog(screen, 'undo') ?? topDialog(screen, 'correct')
}
