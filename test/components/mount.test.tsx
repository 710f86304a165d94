import { Box, Text } from 'ink'
import { afterEach, describe, expect, test } from 'vitest'
import { EditorField } from '../../components/parts/EditorField.tsx'
import { createEditor } from '../../components/parts/editor-model.ts'
import type { InputEvent } from '../../components/terminal/input-event.ts'
import { compileTheme } from '../../themes/compile.ts'
import { dark } from '../../themes/dark.ts'
import { Board, createBoardStore } from '../support/fixtures/board.tsx'
import { keys } from '../support/keys.ts'
import { type MountOptions, mountForTest, type TestScreen } from '../support/mount-screen.ts'

let open: TestScreen[] = []

afterEach(async () => {
  for (const screen of open) await screen.close()
  open = []
})

async function mountBoard(options: MountOptions = {}) {
  const store = createBoardStore()
  const screen = await mountForTest(<Board store={store} />, options)
  open.push(screen)
  return { store, screen }
}

describe('a mounted screen', () => {
  test('shows the tree in the alternate screen with its colours', async () => {
    const { screen } = await mountBoard({ columns: 60, rows: 8 })
    expect(screen.isAlternate()).toBe(true)
    expect(screen.isRaw()).toBe(true)
    expect(screen.lines()).toEqual([
      ' cleveragents 60x8                           $0.42 of $5.00 ',
      '┌ Plans ─────────────────────┐┌ 决定 Decision ─────────────┐',
      '│▌● plan-0 extract the… +0 -0││item 0                      │',
      '│ ⏸ plan-1 extract the… +7 -1││ticks 0                     │',
      '│ ✗ plan-2 extract th… +14 -2││会话检查                    │',
      '│ ⊘ plan-3 extract th… +21 -3││                            │',
      '└────────────────────────────┘└────────────────────────────┘',
      ' ↓ move  ⏎ open  A apply  q leave',
    ])
    expect(screen.cellOf('plan-0').style).toMatchObject({ foreground: '#d7dae0', background: '#2b3648' })
    expect(screen.cellOf('plan-1').style.background).toBeUndefined()
    expect(screen.cellOf('Plans').style).toMatchObject({ foreground: '#7cb7ff', isBold: true })
  })

  test('writes each change in one piece, and little of it', async () => {
    const { store, screen } = await mountBoard({ columns: 120, rows: 40 })
    const before = screen.writes.length
    const bytes = await screen.bytesOf(() => store.set({ ticks: 7 }))
    expect(screen.writes.length - before).toBe(1)
    expect(bytes).toBeLessThan(80)
    expect(screen.text()).toContain('ticks 7')
  })

  test('moves the selection of half a wide window within 450 bytes', async () => {
    const { store, screen } = await mountBoard({ columns: 120, rows: 40 })
    expect(await screen.bytesOf(() => store.set({ selected: 1 }))).toBeLessThan(450)
  })

  test('writes nothing when nothing changes', async () => {
    const { store, screen } = await mountBoard()
    expect(await screen.bytesOf(() => store.set({}))).toBe(0)
  })

  test('paints several commits of one turn as one frame', async () => {
    const { store, screen } = await mountBoard()
    const before = screen.writes.length
    await screen.bytesOf(() => {
      store.set({ ticks: 1 })
      store.set({ ticks: 2 })
      store.set({ selected: 3 })
    })
    expect(screen.writes.length - before).toBe(1)
    expect(screen.text()).toContain('ticks 2')
  })

  test('never erases before it writes', async () => {
    const { store, screen } = await mountBoard()
    for (let selected = 0; selected < 30; selected++) store.set({ selected })
    await screen.resize(100, 30)
    expect(screen.writes.join('')).not.toMatch(/\[[0-3]?J/)
  })

  test('after a series of resizes shows what a fresh start at that size shows', async () => {
    const { screen } = await mountBoard({ columns: 80, rows: 24 })
    for (const [columns, rows] of [
      [60, 20],
      [120, 40],
      [61, 12],
      [100, 30],
    ] as const)
      await screen.resize(columns, rows)
    const { screen: fresh } = await mountBoard({ columns: 100, rows: 30 })
    expect(screen.lines()).toEqual(fresh.lines())
  })

  test('answers a resize with one synchronised frame', async () => {
    const { screen } = await mountBoard()
    const before = screen.writes.length
    await screen.resize(70, 20)
    const written = screen.writes.slice(before)
    expect(written).toHaveLength(1)
    expect(written[0]).toMatch(/^.\[\?2026h.*\[\?2026l$/s)
  })

  test('draws the same with and without the row memo', async () => {
    const { screen } = await mountBoard({ rowMemo: true })
    const { screen: stock } = await mountBoard({ rowMemo: false })
    expect(screen.lines()).toEqual(stock.lines())
  })

  test('repaints what something else wrote over', async () => {
    const { screen } = await mountBoard()
    const lines = screen.lines()
    await screen.write('\u001b[2J\u001b[3;3Hgarbage')
    screen.session.terminal.repaint()
    await screen.settle()
    expect(screen.lines()).toEqual(lines)
  })

  test('gives keys, pastes and the mouse as events and echoes nothing', async () => {
    const events: InputEvent[] = []
    const { screen } = await mountBoard({ onInput: event => events.push(event) })
    const lines = screen.lines()
    await screen.type('j', keys.up, keys.paste('two\nlines'), keys.ctrl('l'))
    expect(events.map(event => (event.type === 'key' ? event.name : event.type))).toEqual([
      'j',
      'up',
      'paste',
      'l',
    ])
    expect(screen.lines()).toEqual(lines)
  })

  test('tells when a frame has reached the terminal', async () => {
    const { store, screen } = await mountBoard()
    const seen: string[] = []
    store.set({ ticks: 5 })
    screen.session.terminal.afterFrame(() => seen.push(screen.writes.at(-1) ?? ''))
    await screen.settle()
    expect(seen).toHaveLength(1)
    expect(seen[0]).toContain('5')
  })

  test('puts the terminal back when it is closed, once', async () => {
    const { screen } = await mountBoard()
    screen.session.end({ kind: 'closed' })
    screen.session.end({ kind: 'terminalGone' })
    await screen.settle()
    expect(screen.isAlternate()).toBe(false)
    expect(screen.isRaw()).toBe(false)
    expect(screen.exits).toEqual([{ kind: 'closed' }])
    expect(screen.writes.at(-1)).toContain('\u001b[?25h')
  })

  test('ends with the error of a component that throws, the terminal put back', async () => {
    const { store, screen } = await mountBoard()
    store.set({ note: 'broken' })
    await screen.settle()
    expect(screen.exits).toMatchObject([{ kind: 'error', error: new Error('The board is broken') }])
    expect(screen.isAlternate()).toBe(false)
  })

  test('hands the terminal to another program and takes it back as it was', async () => {
    const { store, screen } = await mountBoard()
    const during: boolean[] = []
    await screen.session.terminal.handOver(async () => {
      await screen.settle()
      during.push(screen.isAlternate(), screen.isRaw())
      store.set({ ticks: 9 })
    })
    await screen.settle()
    expect(during).toEqual([false, false])
    expect([screen.isAlternate(), screen.isRaw()]).toEqual([true, true])
    expect(screen.text()).toContain('ticks 9')
  })
})

test('the cursor of the terminal stands where the next character of a text field goes', async () => {
  const editor = createEditor('one', '会话')
  const theme = compileTheme(dark, 'truecolor')
  const screen = await mountForTest(
    <Box flexDirection="column" width={20} height={4}>
      <Text>title</Text>
      <EditorField editor={editor} theme={theme} width={10} height={1} origin={{ row: 1, column: 0 }} />
    </Box>,
    { columns: 20, rows: 4 },
  )
  open.push(screen)
  expect(screen.line(1)).toBe('会话')
  expect(screen.cursor()).toEqual({ row: 1, column: 4 })
  expect(screen.writes.at(-1)).toContain('\u001b[?25h')
})
