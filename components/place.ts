import type { Dialog } from './dialogs.ts'
import type { Place } from './keymap.ts'

/** Which rows of the key table are in force under a dialog; without one, Home's. */
export function placeOf(dialog: Dialog | undefined): Place {
  if (!dialog) return 'home'
  if (dialog.kind === 'gate') return dialog.guidance ? 'guidance' : 'gate'
  if (dialog.kind === 'correct' && dialog.step === 'guidance' && dialog.mode === 'append') return 'append'
  if (dialog.kind === 'correct')
    return ({ choose: 'correct', guidance: 'guidance', preview: 'preview' } as const)[dialog.step]
  if (dialog.kind === 'audit' && dialog.file) return 'exportFile'
  return dialog.kind
}
