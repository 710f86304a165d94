import { Box } from 'ink'
import type { Dialog } from '../dialogs.ts'
import { keyLabel } from '../keymap-row.ts'
import { line } from '../look.ts'
import { EditorField } from '../parts/EditorField.tsx'
import { Row, Rows } from '../parts/Row.tsx'
import { firstRow } from '../scroll.ts'
import { Overlay, overlayBox } from './overlay.tsx'
import { foundCommands } from './palette-rows.ts'
import type { ViewProps } from './view.ts'

/** Every command by its name; those that cannot be done now say why. */
export function PaletteView({
  situation,
  look,
  dialog,
}: ViewProps & { dialog: Extract<Dialog, { kind: 'palette' }> }) {
  const box = overlayBox(situation.ui.size, { width: 76, height: 18 })
  const width = box.width - 2
  const room = box.height - 4
  const found = foundCommands(dialog.editor.text)
  const top = firstRow({
    row: dialog.cursor,
    offset: Math.floor(room / 2),
    height: room,
    count: found.length,
  })
  const rows = found.slice(top, top + room).map(({ row, label }, at) => {
    const isSelected = top + at === dialog.cursor
    const refusal = row.whyNot?.(situation)
    return line(look, {
      left: [
        { text: isSelected ? look.glyphs.selected : ' ', tone: 'accent' },
        { text: ` ${label}`, tone: refusal ? 'muted' : 'text' },
        ...(refusal ? [{ text: `  ${refusal}`, tone: 'warning' as const }] : []),
      ],
      right: [{ text: `${keyLabel(row.keys[0] ?? '', look.charset)} `, tone: 'key' }],
      width,
      surface: isSelected ? 'selection' : undefined,
    })
  })
  const blank = line(look, { left: [], width })
  const lines = Array.from({ length: room }, (_, at) => rows[at] ?? blank)
  return (
    <Overlay look={look} box={box} title="Find a command">
      <Box height={1}>
        <Row line={line(look, { left: [{ text: ' : ', tone: 'key' }], width: 3 })} />
        <EditorField
          editor={dialog.editor}
          theme={look.theme}
          width={width - 3}
          height={1}
          origin={{ row: box.row + 1, column: box.column + 4 }}
          placeholder="type to search"
        />
      </Box>
      <Rows lines={[blank, ...lines]} width={width} height={room + 1} />
    </Overlay>
  )
}
