import { type Pane, panes, type Size } from '../stores/ui.ts'

export type HomeLayout =
  | { readonly kind: 'tooSmall' }
  | { readonly kind: 'panes'; readonly shown: readonly PaneBox[]; readonly height: number }

/** Inner cells of a pane; panes share the border between them. */
export interface PaneBox {
  readonly pane: Pane
  readonly width: number
}

const smallest = { columns: 60, rows: 15 }
const oneBelow = 84
const threeFrom = 100

/** Header, top border, divider, band, bottom border, hints. */
const rowsAround = 6

/** Sizes are computed, never measured: a measurement would come one frame late. */
export function homeLayout(size: Size, focus: Pane, content: 'plans' | 'welcome' = 'plans'): HomeLayout {
  if (size.columns < smallest.columns || size.rows < smallest.rows) return { kind: 'tooSmall' }
  if (content === 'welcome')
    return {
      kind: 'panes',
      shown: [{ pane: 'plans', width: size.columns - 2 }],
      height: size.rows - rowsAround,
    }
  return { kind: 'panes', shown: shownPanes(size.columns, focus), height: size.rows - rowsAround }
}

export function paneWidth(layout: HomeLayout, pane: Pane): number {
  return layout.kind === 'panes' ? (layout.shown.find(box => box.pane === pane)?.width ?? 0) : 0
}

/** Rows and cells inside the frame of a view that takes the whole window, header and hints left out. */
export function pageInside(size: Size): { width: number; height: number } {
  return { width: size.columns - 2, height: size.rows - 4 }
}

function shownPanes(columns: number, focus: Pane): PaneBox[] {
  if (columns < oneBelow) return [{ pane: focus, width: columns - 2 }]
  const plans = between(Math.round(columns * 0.22), 24, 38)
  if (columns < threeFrom)
    return focus === 'inspector'
      ? [{ pane: 'inspector', width: columns - 2 }]
      : [
          { pane: 'plans', width: plans },
          { pane: 'tree', width: columns - 3 - plans },
        ]
  const inspector = between(Math.round(columns * 0.3), 34, 72)
  return [
    { pane: 'plans', width: plans },
    { pane: 'tree', width: columns - 4 - plans - inspector },
    { pane: 'inspector', width: inspector },
  ]
}

/** The panes that tab goes through, in order. */
export function nextPane(pane: Pane, steps: 1 | -1): Pane {
  const at = (panes.indexOf(pane) + steps + panes.length) % panes.length
  return panes[at] ?? pane
}

function between(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}
