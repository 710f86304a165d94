import { Box } from 'ink'
import { line } from '../look.ts'
import { EditorField } from '../parts/EditorField.tsx'
import type { Editor } from '../parts/editor-model.ts'
import { Row } from '../parts/Row.tsx'
import type { ViewProps } from './view.ts'

/** The filter is typed where the hints are; the tree follows. */
export function FilterLine({ situation, look, editor }: ViewProps & { editor: Editor }) {
  const { columns, rows } = situation.ui.size
  return (
    <Box height={1} width={columns}>
      <Row line={line(look, { left: [{ text: ' / ', tone: 'key' }], width: 3 })} />
      <EditorField
        editor={editor}
        theme={look.theme}
        width={columns - 3}
        height={1}
        origin={{ row: rows - 1, column: 3 }}
        placeholder="type to filter the tree; enter keeps it, esc takes it back"
      />
    </Box>
  )
}
