/** What somebody sees who starts the screen for the first time, in terminals of several kinds. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AgentsScreen, openAgents } from '../support/agents.ts'
import { keys } from '../support/keys.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('without plans it says what this is, three keys and the protections; help and palette are one key away', async () => {
  const screen = await firstStart({ COLORTERM: 'truecolor' })
  expect(screen.text()).toContain('changes your files only when you apply')
  for (const key of ['D  try the demo', 'n  new plan', '?  all keys']) expect(screen.text()).toContain(key)
  await screen.waitForText(/confinement: /)

  await screen.press('?')
  await screen.waitForText('Home (you are here)')
  expect(screen.text()).toMatch(/d +diff +No plan is selected\./)
  await screen.press('q')
  await screen.waitForText('Welcome')
  await screen.press(':')
  await screen.waitForText('Find a command')
  screen.send('theme')
  await screen.waitForText('next theme')
  const dark = screen.cellOf('next theme').style.foreground
  await screen.press(keys.enter)
  await screen.waitForText('Welcome')
  await screen.waitFor('the light theme', () => screen.cellOf('CleverAgents').style.foreground !== dark)
  await screen.press('t')
  await screen.waitFor('the dark theme', () => screen.cellOf('CleverAgents').style.foreground === dark)
})

test('where colours are not wanted none is written, and where there are sixteen no other', async () => {
  const none = await firstStart({ NO_COLOR: '1', COLORTERM: 'truecolor' })
  const few = await firstStart({ TERM: 'xterm', COLORTERM: '' })
  expect(coloursOf(none)).toEqual([])
  expect(coloursOf(few).length).toBeGreaterThan(0)
  expect(coloursOf(few).filter(colour => !/^palette-([0-9]|1[0-5])$/.test(colour))).toEqual([])
})

async function firstStart(env: Record<string, string>): Promise<AgentsScreen> {
  const { root } = await makeRepository()
  const screen = openAgents({ dataDir: join(await temporaryFolder(), 'data'), cwd: root, env }, ['ui'])
  await screen.waitForText('Protections here')
  return screen
}

function coloursOf(screen: AgentsScreen): string[] {
  const { columns, rows } = screen.size()
  const styles = Array.from({ length: columns * rows }, (_, at) => {
    return screen.cell(Math.floor(at / columns), at % columns).style
  })
  const named = styles.flatMap(({ foreground, background }) => [foreground, background])
  return [...new Set(named.filter(colour => colour !== undefined))]
}
