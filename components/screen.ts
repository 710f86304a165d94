import type { MethodName, Output, Params } from '../src/a2a/protocol/methods.ts'
import type { ScreenStore } from '../stores/screen-store.ts'
import { changeDialog, type Notice, pushDialog, type Ui } from '../stores/ui.ts'
import type { Glyphs } from '../themes/glyphs.ts'
import type { Dialog } from './dialogs.ts'
import type { Situation } from './situation.ts'
import type { ApprovalGuard } from './terminal/approval-guard.ts'
import type { Clock } from './terminal/clock.ts'
import type { Edited } from './terminal/own-editor.ts'

/** Everything actions and views work with. */
export interface Screen {
  readonly store: ScreenStore<Dialog>
  readonly clock: Clock
  readonly glyphs: Glyphs
  readonly charset: 'unicode' | 'ascii'
  readonly hooks: ScreenHooks
  /** Folder the screen was started in. */
  readonly folder: string
  /** Guards the answers of the card that is open. Not part of the picture's state: it moves with every key. */
  card: { gateId: string; guard: ApprovalGuard; rowCount: number } | null
  /** Digest of the preview that the terminal was last given; only this one can be confirmed. */
  previewShown: string | null
}

/** What only the terminal and the process can do. */
export interface ScreenHooks {
  sendSequence(sequence: string): void
  repaint(): void
  suspend(): void
  /** Gives the terminal to the person's own editor until it ends. */
  edit(text: string): Promise<Edited>
  /** The reason why not, or null: a file that is there is never written over. */
  writeNewFile(path: string, text: string): Promise<string | null>
  /** Runs once, when what is drawn now has been given to the terminal. */
  afterFrame(run: (at: number) => void): void
  /** Ends the screen, and the backend with it unless it was told to go on. */
  leave(backend: 'ends' | 'goesOn'): void
}

export function situationOf(screen: Screen): Situation {
  const { store } = screen
  return { model: store.model, ui: store.ui(), connection: store.state.getState().connection }
}

export function changeUi(screen: Screen, change: (ui: Ui<Dialog>) => Ui<Dialog>): void {
  screen.store.changeUi(change)
}

export function push(screen: Screen, dialog: Dialog): void {
  changeUi(screen, ui => pushDialog(ui, dialog))
}

export function tell(screen: Screen, text: string, tone: Notice['tone'] = 'info'): void {
  changeUi(screen, ui => ({ ...ui, notice: { text, tone } }))
}

/** Changes the topmost dialog if it is of this kind. */
export function changeTop<Kind extends Dialog['kind']>(
  screen: Screen,
  kind: Kind,
  change: (dialog: Extract<Dialog, { kind: Kind }>) => Dialog,
): void {
  changeUi(screen, ui => changeDialog(ui, dialog => (isKind(dialog, kind) ? change(dialog) : dialog)))
}

export function topDialog<Kind extends Dialog['kind']>(
  screen: Screen,
  kind: Kind,
): Extract<Dialog, { kind: Kind }> | null {
  const top = screen.store.ui().dialogs.at(-1)
  return top && isKind(top, kind) ? top : null
}

/** A call whose refusal is told in one line; what it did comes back as events. */
export async function ask<Name extends MethodName>(
  screen: Screen,
  name: Name,
  params: Params<Name>,
  done?: string,
): Promise<Output<Name> | null> {
  const result = await screen.store.call(name, params)
  if (!result.ok) tell(screen, result.failure.message, 'danger')
  else if (done !== undefined) tell(screen, done)
  return result.ok ? result.value : null
}

function isKind<Kind extends Dialog['kind']>(
  dialog: Dialog,
  kind: Kind,
): dialog is Extract<Dialog, { kind: Kind }> {
  return dialog.kind === kind
}
