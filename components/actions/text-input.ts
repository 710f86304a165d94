import { type Place, rowsOf } from '../keymap.ts'
import { matchKey } from '../keymap-row.ts'
import { createEditor, type Editor, editorInput } from '../parts/editor-model.ts'
import { type Screen, situationOf, tell } from '../screen.ts'
import type { InputEvent } from '../terminal/input-event.ts'

/** The text after an event, or nothing when a key of the place or something else is meant. */
export function typedInto(
  screen: Screen,
  place: Place,
  editor: Editor,
  event: InputEvent,
): Editor | undefined {
  if (event.type === 'key' && matchKey(rowsOf(place), event, situationOf(screen))) return undefined
  return event.type === 'key' || event.type === 'paste' ? editorInput(editor, event) : undefined
}

/** What the person made of it in their own editor; what went wrong is told, and the text stays as it was. */
export async function editElsewhere(
  screen: Screen,
  editor: Editor | null | undefined,
  taken: (editor: Editor) => void,
): Promise<void> {
  if (!editor) return
  const edited = await screen.hooks.edit(editor.text)
  if (edited.kind === 'problem') tell(screen, edited.message, 'warning')
  else taken(createEditor(editor.lines, edited.text))
}
