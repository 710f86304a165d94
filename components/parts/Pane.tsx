import { Box } from 'ink'
import type { ReactNode } from 'react'
import { cellWidth, cutToWidth } from '../../src/text/cells.ts'
import type { Theme } from '../../themes/compile.ts'
import type { Glyphs } from '../../themes/glyphs.ts'
import { Row, Rows } from './Row.tsx'

type Corner = 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight'

export type PaneFrame = {
  theme: Theme
  glyphs: Glyphs
  width: number
  height: number
  title?: string
  isFocused?: boolean
  /** Neighbours share a border: leave out the edge the neighbour draws. */
  without?: readonly ('left' | 'right' | 'top' | 'bottom')[]
  /** Where borders meet, say, a tee instead of a corner. */
  corners?: Partial<Record<Corner, string>>
}

/** The cells inside the border. */
export function paneInside({ width, height, without = [] }: Pick<PaneFrame, 'width' | 'height' | 'without'>) {
  const edge = (name: 'left' | 'right' | 'top' | 'bottom') => (without.includes(name) ? 0 : 1)
  return { width: width - edge('left') - edge('right'), height: height - edge('top') - edge('bottom') }
}

/** A bordered part of the window with a fixed size. What is inside brings exactly `paneInside` rows. */
export function Pane({ children, ...frame }: PaneFrame & { children: ReactNode }) {
  const { width, height, without = [] } = frame
  const inside = paneInside(frame)
  const side = paintBorder(frame, frame.glyphs.box.vertical)
  const sides = Array.from({ length: Math.max(0, inside.height) }, () => side)
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={height}>
      {!without.includes('top') && <Row line={topBorder(frame)} />}
      <Box flexShrink={0} height={Math.max(0, inside.height)}>
        {!without.includes('left') && <Rows lines={sides} width={1} height={inside.height} />}
        <Box flexDirection="column" flexShrink={0} width={inside.width}>
          {children}
        </Box>
        {!without.includes('right') && <Rows lines={sides} width={1} height={inside.height} />}
      </Box>
      {!without.includes('bottom') && <Row line={bottomBorder(frame)} />}
    </Box>
  )
}

function topBorder(frame: PaneFrame): string {
  const { glyphs, theme, title = '' } = frame
  const length = borderLength(frame)
  const shown = title === '' ? '' : ` ${cutToWidth(title, length - 3, glyphs.ellipsis)} `
  const titled = length > 4 && shown !== ''
  const rest = glyphs.box.horizontal.repeat(Math.max(0, titled ? length - cellWidth(shown) : length))
  const [left, right] = ends(frame, 'topLeft', 'topRight')
  if (!titled) return paintBorder(frame, left + rest + right)
  const tone = frame.isFocused ? theme.foreground.borderFocused : theme.foreground.heading
  return `${paintBorder(frame, left)}${tone}${shown}${theme.reset}${paintBorder(frame, rest + right)}`
}

function bottomBorder(frame: PaneFrame): string {
  const [left, right] = ends(frame, 'bottomLeft', 'bottomRight')
  return paintBorder(
    frame,
    left + frame.glyphs.box.horizontal.repeat(Math.max(0, borderLength(frame))) + right,
  )
}

function ends({ glyphs, corners, without = [] }: PaneFrame, left: Corner, right: Corner): [string, string] {
  const corner = (name: Corner) => corners?.[name] ?? glyphs.box[name]
  return [without.includes('left') ? '' : corner(left), without.includes('right') ? '' : corner(right)]
}

function borderLength(frame: PaneFrame): number {
  return paneInside(frame).width
}

function paintBorder({ theme, isFocused }: PaneFrame, text: string): string {
  const tone = isFocused ? theme.foreground.borderFocused : theme.foreground.border
  return tone === '' ? text : tone + text + theme.reset
}
