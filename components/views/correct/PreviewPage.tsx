import { Box } from 'ink'
import { useLayoutEffect } from 'react'
import type { Fetched } from '../../../stores/shelf.ts'
import { nodeAt, windowOf } from '../../../stores/tree-window.ts'
import { pageInside } from '../../layout.ts'
import { line, linesFrom, wrapped } from '../../look.ts'
import type { Segment } from '../../parts/format-line.ts'
import { Rows } from '../../parts/Row.tsx'
import { treeRow } from '../../parts/tree-row.ts'
import { firstRow } from '../../scroll.ts'
import { itemName, oneLine } from '../../words.ts'
import { Page } from '../page.tsx'
import type { ViewProps } from '../view.ts'
import type { Foreseen } from './foreseen.ts'
import { factRows, foreseenFor, type PreviewDialog, previewLayout, previewRow } from './preview.ts'

/** Rows below the list: a rule, and room for why the selected row gets its mark. */
const reasonHeight = 3

type Props = ViewProps & {
  readonly dialog: PreviewDialog
  readonly title: string
  /** Told after each drawing, so that what is confirmed is what was in sight. */
  readonly onDrawn: (digest: string) => void
}

/** What would happen, before it does: the tree with a mark on each row, the reason of the selected one, and files. */
export function PreviewPage(props: Props) {
  const { look, situation, dialog, title, onDrawn } = props
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const fetched = foreseenFor(props, dialog)
  const foreseen = fetched.kind === 'ready' ? fetched.value : null
  const head = [...messageRows(dialog, width), ...headRows(fetched, width)]
  const room = Math.max(1, height - head.length - reasonHeight)
  return (
    <Page look={look} size={size} title={dialog.sending === 'sending' ? `${title}, under way` : title}>
      {foreseen && <Drawn digest={foreseen.digest} onDrawn={onDrawn} />}
      <Rows
        lines={linesFrom(look, head, { top: 0, width, height: head.length })}
        width={width}
        height={head.length}
      />
      {foreseen ? (
        <List {...props} foreseen={foreseen} height={room} />
      ) : (
        <Rows lines={[]} width={width} height={room} />
      )}
      <Rows lines={foreseen ? reasonLines(props, foreseen, width) : []} width={width} height={reasonHeight} />
    </Page>
  )
}

function Drawn({ digest, onDrawn }: { digest: string; onDrawn: (digest: string) => void }) {
  useLayoutEffect(() => onDrawn(digest))
  return null
}

function messageRows({ message }: PreviewDialog, width: number): Segment[][] {
  return message === null ? [] : indented(wrapped(message, width - 2, 'danger'))
}

function headRows(fetched: Fetched<Foreseen>, width: number): Segment[][] {
  if (fetched.kind === 'loading')
    return indented(wrapped('Working out what would change', width - 2, 'muted'))
  if (fetched.kind === 'failed') return indented(wrapped(fetched.message, width - 2, 'danger'))
  const { summary, alarm, obstacle } = fetched.value
  return [
    ...indented(wrapped(summary, width - 2, 'text')),
    ...(alarm === null ? [] : indented(wrapped(alarm, width - 2, 'danger'))),
    ...(obstacle === null ? [] : indented(wrapped(obstacle, width - 2, 'danger'))),
    [],
  ]
}

function List(props: Props & { foreseen: Foreseen; height: number }) {
  const { look, situation, foreseen, dialog, height } = props
  const { treeWidth, factsWidth, isBeside } = previewLayout(situation.ui.size)
  const row = previewRow(foreseen, dialog)
  const treeCount = foreseen.tree.root.rows
  const facts = factRows(foreseen, factsWidth - 2)
  if (isBeside)
    return (
      <Box height={height}>
        <Rows lines={treeLines(props, { row, height, width: treeWidth })} width={treeWidth} height={height} />
        <Rows lines={Array.from({ length: height }, () => rule(props))} width={1} height={height} />
        <Rows
          lines={factLines(props, facts, { row: row - treeCount, height, width: factsWidth })}
          width={factsWidth}
          height={height}
        />
      </Box>
    )
  const gap = facts.length > 0 ? 1 : 0
  const count = treeCount + gap + facts.length
  const at = row < treeCount ? row : row + gap
  const top = firstRow({ row: at, offset: Math.floor(height / 2), height, count })
  const fromTree = Math.max(0, Math.min(height, treeCount - top))
  const lines = [
    ...treeWindow(props, { top, count: fromTree, row, width: treeWidth }),
    ...linesFrom(look, [...(gap > 0 ? [[]] : []), ...indented(facts)], {
      top: Math.max(0, top - treeCount),
      width: factsWidth,
      height: height - fromTree,
    }),
  ]
  return (
    <Rows lines={withMore(props, lines, count - top - height, treeWidth)} width={treeWidth} height={height} />
  )
}

interface Part {
  /** The selected row, counted from this part's first; outside of it, none. */
  readonly row: number
  readonly height: number
  readonly width: number
}

function treeLines(props: Props & { foreseen: Foreseen }, { row, height, width }: Part): string[] {
  const count = props.foreseen.tree.root.rows
  const at = Math.min(row, count - 1)
  const top = firstRow({ row: at, offset: Math.floor(height / 2), height, count })
  return withMore(props, treeWindow(props, { top, count: height, row, width }), count - top - height, width)
}

function treeWindow(
  { look, foreseen }: Props & { foreseen: Foreseen },
  { top, count, row, width }: { top: number; count: number; row: number; width: number },
): string[] {
  return windowOf(foreseen.tree, top, count).map((each, at) =>
    treeRow(look, each, {
      width,
      selection: top + at === row ? 'focused' : 'none',
      fate: foreseen.fateOf(each.node),
    }),
  )
}

function factLines(props: Props, facts: readonly Segment[][], { row, height, width }: Part): string[] {
  const { look } = props
  const top = row < 0 ? 0 : firstRow({ row, offset: Math.floor(height / 2), height, count: facts.length })
  const lines = linesFrom(look, indented(facts), { top, width, height })
  return withMore(props, lines, facts.length - top - height, width)
}

/** The last row says how many more there are. */
function withMore({ look }: Props, lines: string[], below: number, width: number): string[] {
  if (below <= 0) return lines
  const more = line(look, {
    left: [{ text: ` ${look.glyphs.down} ${below + 1} more`, tone: 'muted' }],
    width,
  })
  return [...lines.slice(0, -1), more]
}

function rule({ look }: Props): string {
  return line(look, { left: [{ text: look.glyphs.box.vertical, tone: 'border' }], width: 1 })
}

function reasonLines(props: Props, foreseen: Foreseen, width: number): string[] {
  const { look, dialog } = props
  const ruler = line(look, { left: [{ text: ruleText(props, width), tone: 'border' }], width })
  const node = nodeAt(foreseen.tree, previewRow(foreseen, dialog))
  if (!node || typeof dialog.at === 'number') return [ruler]
  const { word, why } = foreseen.fateOf(node)
  const number =
    node.item.kind === 'decision' && node.item.decision.number > 0 ? `#${node.item.decision.number} ` : ''
  const text = `${number}${oneLine(itemName(node.item))}: ${word}. ${why}`
  const rows = indented(wrapped(text, width - 2, 'text')).slice(0, reasonHeight - 1)
  return [ruler, ...linesFrom(look, rows, { top: 0, width, height: rows.length })]
}

/** Meets the line between tree and facts where they stand side by side. */
function ruleText({ look, situation }: Props, width: number): string {
  const { horizontal, bottomTee } = look.glyphs.box
  const { treeWidth, isBeside } = previewLayout(situation.ui.size)
  if (!isBeside) return horizontal.repeat(width)
  return horizontal.repeat(treeWidth) + bottomTee + horizontal.repeat(width - treeWidth - 1)
}

function indented(rows: readonly Segment[][]): Segment[][] {
  return rows.map(row => [{ text: ' ' }, ...row])
}
