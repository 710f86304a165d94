import { Box, Text } from 'ink'
import { memo } from 'react'

/** One row of the screen: a string that is already cut and coloured. Drawn again only when the string is another. */
export const Row = memo(function Row({ line }: { line: string }) {
  // An empty text has no height in Ink, and the rows below would move up.
  return <Text wrap="truncate">{line === '' ? ' ' : line}</Text>
})

/** Always `height` rows, filled up with empty ones. Rows go by position, so scrolling changes texts and nothing else. */
export function Rows({ lines, width, height }: { lines: readonly string[]; width: number; height: number }) {
  const positions = Array.from({ length: Math.max(0, height) }, (_, position) => position)
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={Math.max(0, height)}>
      {positions.map(position => (
        <Row key={position} line={lines[position] ?? ''} />
      ))}
    </Box>
  )
}
