import { Box } from 'ink'
import { linesFrom, wrapped } from '../look.ts'
import { Rows } from '../parts/Row.tsx'
import type { ViewProps } from './view.ts'

/** Nothing is lost: as soon as the window is larger again, everything is where it was. */
export function TooSmallView({ situation, look }: ViewProps) {
  const { columns, rows } = situation.ui.size
  const text = wrapped(
    'This window is too small for the screen. It needs 60 by 15.',
    Math.max(1, columns),
    'text',
  )
  return (
    <Box width={columns} height={rows}>
      <Rows
        lines={linesFrom(look, text, { top: 0, width: columns, height: rows })}
        width={columns}
        height={rows}
      />
    </Box>
  )
}
