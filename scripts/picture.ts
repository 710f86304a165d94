/**
 * Draws pictures of the screen: `npm run picture [folder]` writes an SVG and a PNG for each theme. The screen runs in a
 * terminal without a window, on Ink's real path through the driver.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createElement } from 'react'
import { Board, createBoardStore } from '../test/support/fixtures/board.tsx'
import { mountForTest } from '../test/support/mount-screen.ts'
import { palettes } from '../themes/index.ts'
import { toPng } from './png.ts'
import { toSvg } from './svg.ts'

const folder = process.argv[2] ?? 'docs/pictures'
await mkdir(folder, { recursive: true })
for (const palette of palettes) {
  const store = createBoardStore()
  const screen = await mountForTest(createElement(Board, { store, palette }), { columns: 110, rows: 32 })
  store.set({ selected: 3, ticks: 12, note: 'nothing is running' })
  await screen.settle()
  const svg = toSvg(screen, { foreground: palette.foregrounds.text[0], background: palette.background })
  await writeFile(join(folder, `board-${palette.name}.svg`), svg)
  await writeFile(join(folder, `board-${palette.name}.png`), toPng(svg))
  await screen.close()
}
