/** What is typed without meaning a gate never answers it, and whoever is at any screen can. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Agents, openAgents, runAgents } from '../support/agents.ts'
import { keys } from '../support/keys.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const question = 'Carry out this strategy?'

test('keys typed before a gate opens do not answer it, and neither does a paste', async () => {
  const agents = await aPlace()
  const screen = openAgents(agents, ['demo'])
  // Before the first frame, while the plan runs, and in one breath with the keys that open the card.
  screen.send('a\ra\ra\ra\ra\ra\r')
  await screen.waitForText(question)
  screen.send(`g${keys.enter}a${keys.enter}a${keys.enter}1${keys.enter}a${keys.enter}a${keys.enter}`)
  await screen.waitForText('A question for you')
  await screen.waitForText('a approve')
  screen.send(keys.paste('a\ra\r'))
  screen.send('a\ra\r')
  await screen.waitForText('reading')
  await screen.waitForText('a approve')
  expect(await gatesOf(agents)).toMatchObject([{ question }])
  await screen.approve()
  await screen.waitForText('EXECUTE')
})

test('two screens on one store are both live, one runs, and either answers', async () => {
  const agents = await aPlace()
  const runner = openAgents(agents, ['demo'])
  await runner.waitForText(question)
  const other = openAgents(agents, ['ui'], { columns: 100, rows: 30 })
  await other.waitForText(question)

  await other.openGate(question)
  await other.approve()
  await runner.waitForText('2 of 2 done')
  await other.waitForText('2 of 2 done')

  await runner.openGate('Apply these c')
  await other.openGate('Apply these c')
  await runner.approve()
  await other.waitForText('answered')
  await other.press(keys.escape, keys.escape)
  await runner.waitForText('APPLIED')
  await other.waitForText('APPLIED')
})

async function aPlace(): Promise<Agents> {
  const temporary = await temporaryFolder()
  return { dataDir: join(temporary, 'data'), cwd: temporary, env: { TMPDIR: temporary } }
}

async function gatesOf(agents: Agents): Promise<unknown> {
  const { out } = await runAgents(agents, '--format', 'json', 'gate', 'list')
  return JSON.parse(out).data.gates
}
