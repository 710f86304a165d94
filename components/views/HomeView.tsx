import { Box } from 'ink'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import { cellWidth, cutToWidth } from '../../src/text/cells.ts'
import { bandGate } from '../../stores/selectors.ts'
import type { Pane as PaneName } from '../../stores/ui.ts'
import { homeLayout, type PaneBox } from '../layout.ts'
import { type Look, line } from '../look.ts'
import type { Segment } from '../parts/format-line.ts'
import { Pane } from '../parts/Pane.tsx'
import { Row, Rows } from '../parts/Row.tsx'
import { oneLine, pathWord, scoreWord } from '../words.ts'
import { inspectorLines, inspectorTitle } from './home-inspector.ts'
import { plansLines } from './home-plans.ts'
import { breadcrumb, treeLines, treeTitle } from './home-tree.ts'
import type { ViewProps } from './view.ts'

/** Plans, the live tree of the selected one, and what is known of the selected node; below them, what waits. */
export function HomeView({ situation, shelves, look }: ViewProps) {
  const { ui } = situation
  const isEmpty = situation.model.plans.roots.length === 0
  const layout = homeLayout(ui.size, ui.focus, isEmpty ? 'welcome' : 'plans')
  if (layout.kind === 'tooSmall') return null
  const { shown, height } = layout
  return (
    <Box flexDirection="column" width={ui.size.columns} height={height + 4}>
      <Box height={height + 1}>
        {shown.map((box, at) => (
          <Pane
            key={box.pane}
            theme={look.theme}
            glyphs={look.glyphs}
            width={box.width + (at === shown.length - 1 ? 2 : 1)}
            height={height + 1}
            title={titleOf({ situation, shelves, look }, box, shown.length)}
            isFocused={box.pane === ui.focus}
            without={at === shown.length - 1 ? ['bottom'] : ['bottom', 'right']}
            corners={at === 0 ? {} : { topLeft: look.glyphs.box.topTee }}
          >
            <Rows
              lines={linesOf({ situation, shelves, look }, box, height)}
              width={box.width}
              height={height}
            />
          </Pane>
        ))}
      </Box>
      <Row line={divider(look, shown)} />
      <Row line={band({ situation, shelves, look }, ui.size.columns - 2)} />
      <Row line={bottom(look, ui.size.columns)} />
    </Box>
  )
}

function titleOf(props: ViewProps, box: PaneBox, paneCount: number): string {
  if (props.situation.model.plans.roots.length === 0)
    return props.situation.connection.kind === 'connected' ? 'Welcome' : 'Plans'
  if (paneCount === 1) return breadcrumb(props)
  const titles: Record<PaneName, () => string> = {
    plans: () => 'Plans',
    tree: () => treeTitle(props),
    inspector: () => inspectorTitle(props),
  }
  return titles[box.pane]()
}

function linesOf(props: ViewProps, box: PaneBox, height: number): string[] {
  switch (box.pane) {
    case 'plans':
      return plansLines(props, box.width, height)
    case 'tree':
      return treeLines(props, box.width, height)
    case 'inspector':
      return inspectorLines(props, box.width, height)
  }
}

/** A gate never takes the focus: it is told of here until somebody opens it. */
function band({ situation, look }: ViewProps, width: number): string {
  const { vertical } = look.glyphs.box
  const gate = bandGate(situation.model, situation.ui)
  const border: Segment = { text: vertical, tone: 'border' }
  if (!gate) return line(look, { left: [border], right: [border], width: width + 2 })
  const numbers = whyWord(gate)
  const hint: Segment[] = [{ text: 'g', tone: 'key' }, { text: ' answer ' }, border]
  const path = pathWord(gate.path, Math.floor(width * 0.4), look.glyphs.ellipsis)
  const start = `${look.glyphs.waits} ${path} waits: `
  const room = Math.max(10, width - cellWidth(start) - (width > 90 ? numbers.length + 14 : 12))
  return line(look, {
    left: [
      border,
      { text: ` ${start}`, tone: 'waiting' },
      { text: cutToWidth(oneLine(gate.question), room, look.glyphs.ellipsis), tone: 'text' },
      ...(width > 90 ? [{ text: `  ${numbers}`, tone: 'muted' as const }] : []),
    ],
    right: hint,
    width: width + 2,
  })
}

function whyWord({ confidence, threshold }: GateView): string {
  if (confidence === null || threshold === null || confidence >= threshold) return ''
  if (threshold >= 1) return 'the profile always asks here'
  return `confidence ${scoreWord(confidence)}, profile needs ${scoreWord(threshold)}`
}

function divider(look: Look, shown: readonly PaneBox[]): string {
  const { box } = look.glyphs
  const runs = shown.map(each => box.horizontal.repeat(each.width)).join(box.bottomTee)
  const text = box.leftTee + runs + box.rightTee
  return line(look, { left: [{ text, tone: 'border' }], width: text.length })
}

function bottom(look: Look, columns: number): string {
  const { box } = look.glyphs
  const text = box.bottomLeft + box.horizontal.repeat(columns - 2) + box.bottomRight
  return line(look, { left: [{ text, tone: 'border' }], width: columns })
}
