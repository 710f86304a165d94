import type { Theme } from '../../themes/compile.ts'
import { useTerminalCursor } from '../terminal/terminal-context.ts'
import type { Editor } from './editor-model.ts'
import { viewEditor } from './editor-view.ts'
import { formatLine } from './format-line.ts'
import { Rows } from './Row.tsx'

/** A text field. With `origin`, its place in the window, the terminal's own cursor stands in it. */
export function EditorField({
  editor,
  theme,
  width,
  height,
  origin,
  placeholder = '',
}: {
  editor: Editor
  theme: Theme
  width: number
  height: number
  origin?: { row: number; column: number } | undefined
  placeholder?: string
}) {
  const view = viewEditor(editor, width, height)
  useTerminalCursor(
    origin && { row: origin.row + view.cursor.row, column: origin.column + view.cursor.column },
  )
  const lines =
    editor.text === ''
      ? [formatLine(theme, { left: [{ text: placeholder, tone: 'muted' }], width })]
      : view.lines.map(text => formatLine(theme, { left: [{ text, tone: 'text' }], width }))
  return <Rows lines={lines} width={width} height={height} />
}
