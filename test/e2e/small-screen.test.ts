/** The demo in the smallest usual window, which is torn about meanwhile. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAgents } from '../support/agents.ts'
import { keys } from '../support/keys.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('at 80 by 24 one pane at a time leads to the first approval, through a storm of resizes', async () => {
  const temporary = await temporaryFolder()
  const screen = openAgents(
    { dataDir: join(temporary, 'data'), cwd: temporary, env: { TMPDIR: temporary } },
    ['demo'],
    { columns: 80, rows: 24 },
  )
  await screen.waitForText('g answer')
  expect(screen.line(1)).toMatch(/^┌ Plans > local\/demo ─+┐$/)
  await screen.press(keys.down, keys.down, keys.down, keys.tab)
  await screen.waitForText('Where does the session check live?')
  expect(screen.text()).toContain('A guard that every route calls')
  const before = screen.lines()

  for (const [columns, rows] of storm) screen.resize(columns, rows)
  await screen.waitForText('This window is too small')
  screen.resize(80, 24)
  await screen.waitFor('the picture from before', () => screen.text() === before.join('\n'))

  await screen.press(keys.shiftTab)
  await screen.openGate('Carry out this strategy?')
  await screen.approve()
  expect(screen.line(1)).toMatch(/^┌ Plans > local\/demo ─+┐$/)
  await screen.waitForText('A plain function')
})

const storm = Array.from(
  { length: 40 },
  (_, at) => [61 + ((at * 37) % 140), 16 + ((at * 13) % 50)] as const,
).concat([[40, 8]])
