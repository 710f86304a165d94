import { Box } from 'ink'
import { afterEach, describe, expect, test } from 'vitest'
import { hintLine } from '../../../components/parts/KeyHints.tsx'
import { Pane, type PaneFrame, paneInside } from '../../../components/parts/Pane.tsx'
import { Rows } from '../../../components/parts/Row.tsx'
import { compileTheme } from '../../../themes/compile.ts'
import { dark } from '../../../themes/dark.ts'
import { asciiGlyphs, unicodeGlyphs } from '../../../themes/glyphs.ts'
import { mountForTest, type TestScreen } from '../../support/mount-screen.ts'

const theme = compileTheme(dark, 'none')
let screen: TestScreen | undefined

afterEach(async () => {
  await screen?.close()
  screen = undefined
})

async function drawPanes(...frames: Partial<PaneFrame>[]): Promise<string[]> {
  const panes = frames.map(frame => ({ theme, glyphs: unicodeGlyphs, width: 12, height: 4, ...frame }))
  const columns = panes.reduce((sum, pane) => sum + pane.width, 0)
  screen = await mountForTest(
    <Box width={columns} height={4}>
      {panes.map(pane => (
        <Pane key={pane.title} {...pane}>
          <Rows lines={['first', 'second', 'third']} {...paneInside(pane)} />
        </Pane>
      ))}
    </Box>,
    { columns, rows: 4 },
  )
  return screen.lines()
}

describe('a pane', () => {
  test('has a border with its title and shows as many rows as fit', async () => {
    expect(await drawPanes({ title: 'Plans' })).toEqual([
      '┌ Plans ───┐', //
      '│first     │',
      '│second    │',
      '└──────────┘',
    ])
  })

  test('cuts a title that is too long and leaves a title out where there is no room', async () => {
    expect((await drawPanes({ title: '决定决定决定' }))[0]).toBe('┌ 决定决… ─┐')
    await screen?.close()
    expect((await drawPanes({ title: 'Plans', width: 6 }))[0]).toBe('┌────┐')
  })

  test('shares a border with its neighbour', async () => {
    const lines = await drawPanes(
      { title: 'One', without: ['right'] },
      { title: 'Two', corners: { topLeft: '┬', bottomLeft: '┴' } },
    )
    expect(lines).toEqual([
      '┌ One ──────┬ Two ─────┐',
      '│first      │first     │',
      '│second     │second    │',
      '└───────────┴──────────┘',
    ])
  })

  test('is drawn in letters where there is no Unicode', async () => {
    expect(await drawPanes({ title: 'Plans', glyphs: asciiGlyphs })).toEqual([
      '+ Plans ---+', //
      '|first     |',
      '|second    |',
      '+----------+',
    ])
  })
})

describe('key hints', () => {
  const rows = [
    { action: 'move', keys: ['down'], label: 'move' },
    {
      action: 'apply',
      keys: ['A'],
      label: 'apply',
      when: (context: { isReady: boolean }) => context.isReady,
    },
    { action: 'help', keys: ['?'], label: 'all keys' },
  ]

  test('name the keys that make sense here', () => {
    expect(hintLine({ rows, context: { isReady: false }, theme, width: 30 }).replaceAll(/.\[\d*m/g, '')).toBe(
      ' ↓ move  ? all keys           ',
    )
  })

  test('leave out whole hints where there is no room', () => {
    const line = hintLine({ rows, context: { isReady: true }, theme, width: 18, charset: 'ascii' })
    expect(line.replaceAll(/.\[\d*m/g, '')).toBe(' down move        ')
  })
})
