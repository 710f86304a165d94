import { type Place, rowsOf } from '../keymap.ts'
import { matchKey } from '../keymap-row.ts'
import { type Editor, editorInput } from '../parts/editor-model.ts'
import { type Screen, situationOf } from '../screen.ts'
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
