import { Box } from 'ink'
import type { ReactNode } from 'react'
import type { Size } from '../../stores/ui.ts'
import type { Look } from '../look.ts'
import { Pane, paneInside } from '../parts/Pane.tsx'
import { Rows } from '../parts/Row.tsx'

export interface OverlayBox {
  readonly row: number
  readonly column: number
  readonly width: number
  readonly height: number
}

/** A small dialog in the upper middle of the window; what is below stays in sight around it. */
export function overlayBox(size: Size, wanted: { width: number; height: number }): OverlayBox {
  const width = Math.min(wanted.width, size.columns - 4)
  const height = Math.min(wanted.height, size.rows - 4)
  const row = Math.max(1, Math.floor((size.rows - height) / 3))
  return { row, column: Math.floor((size.columns - width) / 2), width, height }
}

export function Overlay({
  look,
  box,
  title,
  children,
}: {
  look: Look
  box: OverlayBox
  title: string
  children: ReactNode
}) {
  return (
    <Box
      position="absolute"
      marginTop={box.row}
      marginLeft={box.column}
      width={box.width}
      height={box.height}
    >
      <Pane
        theme={look.theme}
        glyphs={look.glyphs}
        width={box.width}
        height={box.height}
        title={title}
        isFocused
      >
        {children}
      </Pane>
    </Box>
  )
}

export function TextOverlay({
  look,
  box,
  title,
  lines,
}: {
  look: Look
  box: OverlayBox
  title: string
  lines: readonly string[]
}) {
  return (
    <Overlay look={look} box={box} title={title}>
      <Rows lines={lines} {...paneInside(box)} />
    </Overlay>
  )
}
