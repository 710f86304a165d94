import type { Editor } from './parts/editor-model.ts'

/** What stands over Home, the newest on top, with what it holds: cursor, scroll position, text being typed. */
export type Dialog =
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'palette'; readonly editor: Editor; readonly cursor: number }
  | { readonly kind: 'filter'; readonly editor: Editor; readonly before: string }
  | { readonly kind: 'gates'; readonly gateId: string | null }
  | GateDialog
  | DiffDialog
  | CorrectDialog
  | UndoDialog
  | NewPlanDialog
  | ProfilesDialog
  | AuditDialog
  | CompareDialog
  | { readonly kind: 'cancel'; readonly planId: string }
  | { readonly kind: 'leave' }

export type DialogKind = Dialog['kind']

export interface GateDialog {
  readonly kind: 'gate'
  readonly gateId: string
  readonly top: number
  /** Guidance being typed for "request changes"; null while the card itself is shown. */
  readonly guidance: Editor | null
  /** Guidance typed before; it outlives going back to the card. */
  readonly draft: string
  readonly sending: 'no' | 'sending'
  readonly message: string | null
}

export interface DiffSource {
  readonly planId: string
  readonly decisionId: string | null
  readonly correctionId: string | null
  /** The plan whose changes are the old side; null for what was there before. */
  readonly against: string | null
  readonly title: string
}

export interface DiffDialog {
  readonly kind: 'diff'
  readonly source: DiffSource
  readonly file: number
  /** The hunk that keys act on, counted from 0: a short file shows several at once. */
  readonly hunk: number
  readonly top: number
  /** Cells hidden on the left. */
  readonly left: number
  readonly wrap: 'wrap' | 'cut'
  /** Files whose whole length was asked for. */
  readonly expanded: readonly number[]
}

export interface CorrectDialog {
  readonly kind: 'correct'
  readonly planId: string
  readonly decisionId: string
  readonly step: 'choose' | 'guidance' | 'preview'
  readonly mode: 'revert' | 'append'
  /** Row of the first step: the alternatives, then free guidance, then append. */
  readonly cursor: number
  /** The recorded alternative that was chosen; null where words are typed. */
  readonly optionId: string | null
  /** The action of an appended child; null is the plan's own. */
  readonly actionName: string | null
  readonly guidance: Editor
  readonly at: PreviewPlace
  readonly sending: 'no' | 'sending'
  readonly message: string | null
}

export const profilePages = ['table', 'profile', 'plan', 'waits', 'calibration'] as const
export type ProfilePage = (typeof profilePages)[number]

export interface ProfilesDialog {
  readonly kind: 'profiles'
  readonly page: ProfilePage
  /** The plan whose profile is shown beside the others; null where none was selected. */
  readonly planId: string | null
  /** The chosen column; null is the plan's own. */
  readonly name: string | null
  /** The chosen row of the table. */
  readonly row: number
  /** First row shown of the other pages. */
  readonly top: number
}

export interface AuditDialog {
  readonly kind: 'audit'
  readonly planId: string
  /** One type of entry; null is all of them. */
  readonly type: string | null
  readonly result: 'allowed' | 'denied' | null
  /** The entry keys stand on; null follows the newest. */
  readonly entry: string | null
  /** The first row shown of the chosen entry's details. */
  readonly top: number
  /** The file that is being named for an export; null while none is. */
  readonly file: Editor | null
  readonly message: string | null
}

/** What a plan can be compared with. */
export interface CompareDialog {
  readonly kind: 'compare'
  readonly planId: string
  readonly cursor: number
}

export interface UndoDialog {
  readonly kind: 'undo'
  readonly planId: string
  readonly at: PreviewPlace
  readonly sending: 'no' | 'sending'
  readonly message: string | null
}

/** What a preview's keys stand on: a node of its tree, a row of its facts, or, untouched, what it is about. */
export type PreviewPlace = string | number | null

export interface NewPlanDialog {
  readonly kind: 'newPlan'
  /** The folder the plan is for. */
  readonly folder: string
  readonly step: 'action' | 'form'
  readonly search: Editor
  readonly cursor: number
  readonly actionName: string | null
  /** One editor an argument, then the plan's name. */
  readonly fields: readonly FormField[]
  readonly profile: string
  /** The answer to the question whether the folder's own commands may run; sent with the start. */
  readonly trust: 'undecided' | 'trusted' | 'untrusted'
  /** The first row shown below the fields, where not all of trust, profile and what waits fits. */
  readonly top: number
  readonly sending: 'no' | 'sending'
  readonly message: string | null
}

export interface FormField {
  readonly name: string
  readonly editor: Editor
  readonly problem: string | null
}
