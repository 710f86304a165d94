import { Box } from 'ink'
import { useLayoutEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { selectedPlan } from '../stores/selectors.ts'
import { type ColourDepth, compileTheme } from '../themes/compile.ts'
import { palettes } from '../themes/index.ts'
import type { DrawnCard } from './actions/card-guard.ts'
import { cardDrawn } from './actions/card-guard.ts'
import { previewDrawn } from './actions/preview.ts'
import { homeLayout } from './layout.ts'
import type { Look } from './look.ts'
import { bottomLine } from './parts/bottom-line.ts'
import { headerLine } from './parts/header-line.ts'
import { Row } from './parts/Row.tsx'
import { placeOf } from './place.ts'
import { type Screen, situationOf } from './screen.ts'
import { FilterLine } from './views/FilterLine.tsx'
import { drawDialog, overlayOf, pageOf } from './views/index.tsx'
import { TooSmallView } from './views/TooSmallView.tsx'
import type { ViewProps } from './views/view.ts'

const spinnerMs = 125

/** The whole window: header, the topmost page, hints, and a small dialog over it where there is one. */
export function App({ screen, depth }: { screen: Screen; depth: ColourDepth }) {
  const { ui } = useStore(screen.store.state)
  const palette = palettes.find(each => each.name === ui.themeName) ?? palettes[0]
  if (!palette) throw new Error('There is no theme')
  const theme = useMemo(() => compileTheme(palette, depth), [palette, depth])
  const spinning = { isDrawn: false }
  const look: Look = {
    theme,
    glyphs: screen.glyphs,
    charset: screen.charset,
    spinner() {
      const { spinner } = screen.glyphs
      // Without a backend nobody knows that anything still runs.
      spinning.isDrawn = situationOf(screen).connection.kind === 'connected'
      const turn = spinning.isDrawn ? Math.floor(screen.clock.now() / spinnerMs) : 0
      return spinner[turn % spinner.length] ?? ' '
    },
  }
  const props: ViewProps = { situation: situationOf(screen), shelves: screen.store.shelves, look }
  const { size, dialogs } = ui
  if (homeLayout(size, ui.focus).kind === 'tooSmall') return <TooSmallView {...props} />
  const card = {
    guard: screen.card?.guard ?? null,
    now: screen.clock.now(),
    onDrawn: (drawn: DrawnCard) => cardDrawn(screen, drawn),
    onPreviewDrawn: (digest: string) => previewDrawn(screen, digest),
  }
  const overlay = overlayOf(dialogs)
  const top = dialogs.at(-1)
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows}>
      <Row line={headerLine(look, props.situation, branchOf(props))} />
      {drawDialog(pageOf(dialogs), props, card)}
      {top?.kind === 'filter' ? (
        <FilterLine {...props} editor={top.editor} />
      ) : (
        <Row line={bottomLine(look, props.situation, placeOf(top))} />
      )}
      {overlay && drawDialog(overlay, props, card)}
      <Ticker screen={screen} spinning={spinning} />
    </Box>
  )
}

/** A spinner that was drawn moves on; where none is in sight, nothing ticks. Last in the tree, after all drawing. */
function Ticker({ screen, spinning }: { screen: Screen; spinning: { isDrawn: boolean } }) {
  useLayoutEffect(() => (spinning.isDrawn ? screen.clock.after(spinnerMs, screen.store.touch) : undefined))
  return null
}

function branchOf({ situation, shelves }: ViewProps): string | null {
  const plan = selectedPlan(situation.model, situation.ui)
  const fetched = plan && shelves.projects.peek(plan.project.root)
  return fetched?.kind === 'ready' ? fetched.value.branch : null
}
