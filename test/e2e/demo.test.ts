/** The product as a person meets it: the demo in a real terminal, by keyboard, from the first gate to changed files. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type Agents, type AgentsScreen, openAgents } from '../support/agents.ts'
import { keys } from '../support/keys.ts'
import { descendantsOf, isAlive } from '../support/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { changedModes, eraseScreen } from '../support/terminal-bytes.ts'

let agents: Agents
let temporary = ''

beforeEach(async () => {
  temporary = await temporaryFolder()
  agents = { dataDir: join(temporary, 'data'), cwd: temporary, env: { TMPDIR: temporary } }
})

test('from the first gate over a corrected decision to changed files', async () => {
  const screen = openAgents(agents, ['demo'])
  await screen.openGate('Carry out this strategy?')
  expect(screen.text()).toContain('Where does the session check live? → One middleware for all routes')
  await screen.approve()
  await screen.waitForText('A plain function')
  expect(screen.text()).toContain('EXECUTE')

  await screen.openGate('Apply these changes to your files?')
  await screen.waitForText('9 files will change')
  await readDiff(screen)
  await screen.press(keys.escape)
  await screen.waitForText('Gates (1)')
  await screen.press(keys.escape)

  await correctWhereToWrapper(screen)
  await screen.waitForText('Carry out this strategy?')
  await screen.waitForSelected('A wrapper around every handler')
  await screen.press('s')
  await screen.waitForText(/⊘ strategy +One middleware/)
  expect(screen.text()).toMatch(/◌ impl +All of them in/)
  await screen.press('s')

  await screen.openGate('Carry out this strategy?')
  await screen.approve()
  await screen.openGate('Apply these changes to your files?')
  expect(await shopFile('README.md')).toContain('Private routes check the session themselves.')
  await screen.approve()
  await screen.waitForText('APPLIED')

  expect(await shopFile('README.md')).toContain('from one shared place under src/')
  expect(await shopFile('src/routes/cart.js')).toContain('withSession(({ user }) => {')
  expect(await readdir(join(await shop(), 'src'))).toEqual(['routes', 'server.js', 'with-session.js'])
  await leave(screen)
  expect(screen.output()).not.toMatch(eraseScreen)
})

test('the terminal is as before, whatever was shown last', async () => {
  const screen = openAgents(agents, ['demo'])
  await screen.waitForText('g answer')
  await screen.press('n')
  await screen.waitForText('New plan')
  await screen.press(keys.escape)
  // A letter right behind Esc would be Alt and that letter.
  await screen.waitForText('Plans ─')
  await leave(screen)
})

async function readDiff(screen: AgentsScreen): Promise<void> {
  await screen.press('d')
  await screen.waitForText('file 1 of 9')
  await screen.waitForText('-The back end of a small shop')
  await screen.press(']', ']')
  await screen.waitForText('file 3 of 9')
  await screen.waitForText('+export function requireSession(path, handler) {')
  await screen.press(']', ']', ']', ']', ']')
  await screen.waitForText('src/server.js')
  await screen.waitForText('file 8 of 9')
  await screen.press('}', '}')
  await screen.waitForText('requireSession(path, route)(request)')
  await screen.press(keys.escape)
  await screen.waitForText('A question for you')
}

async function correctWhereToWrapper(screen: AgentsScreen): Promise<void> {
  await screen.press(keys.home, keys.down, keys.down, keys.down)
  await screen.waitForSelected('One middleware for all routes')
  await screen.press('c')
  await screen.waitForText('Where does the session check live?')
  await screen.press(keys.down, keys.enter)
  await screen.waitForText('corrected here')
  expect(screen.text()).toMatch(/All of them in one step.*rolled back, redone/)
  await screen.press('a')
  await screen.waitForText('The decision is taken again.')
}

/** Leaves by the key and looks at what is left behind. */
async function leave(screen: AgentsScreen): Promise<void> {
  const below = descendantsOf(screen.pid)
  expect(below.length).toBeGreaterThan(0)
  screen.send('q')
  expect(await screen.waitForExit()).toEqual({ exitCode: 0, signal: 0 })
  expect(below.filter(each => isAlive(each.pid))).toEqual([])
  expect(screen.isAlternate()).toBe(false)
  expect(changedModes(screen.output())).toEqual([])
}

async function shop(): Promise<string> {
  const made = (await readdir(temporary)).find(name => name.startsWith('agents-demo-'))
  return join(temporary, made ?? '', 'shop-api')
}

async function shopFile(path: string): Promise<string> {
  return readFile(join(await shop(), path), 'utf8')
}
