/** A task in words by keyboard, before a server that plays the model; and what somebody sees who has no model. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import { openAgents } from '../support/agents.ts'
import { startBackendChild } from '../support/backend-child.ts'
import { keys } from '../support/keys.ts'
import { killNow } from '../support/kill-in-the-middle.ts'
import { startModelServer } from '../support/model-server.ts'
import {
  calls,
  ends,
  endsStrategy,
  KEY,
  openaiEnvironment,
  shopFiles,
  TASK,
  used,
} from '../support/model-story.ts'
import { whereabouts } from '../support/purpose-made.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

const hangs = {
  text: 'I look at the price of an item first, and at more later.',
  usage: used,
  fault: { stall_after: 8 },
}

const RESULT = 'export const total = items => items.cents\n'

const work = [
  endsStrategy,
  calls('builtin__edit_file', { path: 'price.js', find: 'items.length', replace: 'items.cents' }),
  ends(['price.js']),
]

test('a prompt in the form becomes changed files; what the model says is seen while it says it', async () => {
  const { root } = await makeRepository({ files: { 'price.js': shopFiles['price.js'] } })
  const server = await startModelServer({ key: KEY, replies: [hangs, ...work] })
  const agents = { dataDir: join(await temporaryFolder(), 'data'), cwd: root, env: openaiEnvironment(server) }
  const screen = openAgents(agents, ['ui'])
  await screen.waitForText('Welcome')
  await screen.press('n')
  await screen.waitForText('builtin/codemod')
  screen.send('builtin/task')
  await screen.waitFor('one action', () => !screen.text().includes('builtin/codemod'))
  await screen.press(keys.enter)
  await screen.waitForText('prompt')
  screen.send(TASK)
  await screen.waitForText(TASK)
  for (const profile of ['manual', 'review', 'supervised']) {
    await screen.press(keys.ctrl('p'))
    await screen.waitForText(profile)
  }
  await screen.press(keys.ctrl('s'))
  // The server says no more of it, and does not end it.
  await screen.waitForText('I look at')
  await screen.press('p')
  await screen.waitForText('PAUSED')
  expect(await server.requests()[0]?.ended).toBe('left')
  await screen.press('p')
  await screen.openGate('g answer')
  expect(screen.text()).toContain('Change total in price.js.')
  await screen.approve()
  await screen.openGate('Apply these changes to your files?')
  await screen.approve()
  await screen.waitForText('APPLIED')
  expect(await readFile(join(root, 'price.js'), 'utf8')).toBe(RESULT)
})

test('without a key and a server the form says how to get going', async () => {
  const { root } = await makeRepository({ files: { 'price.js': shopFiles['price.js'] } })
  const screen = openAgents({ dataDir: join(await temporaryFolder(), 'data'), cwd: root }, ['ui'], {
    columns: 80,
    rows: 24,
  })
  await screen.waitForText('Welcome')
  await screen.press('n')
  await screen.waitForText('builtin/codemod')
  screen.send('builtin/task')
  await screen.waitForText('No model can be used yet.')
  await screen.press(keys.enter)
  await screen.waitForText('agents plan use builtin/replace-text')
  for (const way of ['OPENAI_API_KEY', 'OLLAMA_HOST', 'agents action list'])
    expect(screen.text()).toContain(way)
  expect(screen.text()).toContain('which action?')
})

test('a process killed in the middle of an answer asks for it again, pays once for each, and does nothing twice', async () => {
  const { root } = await makeRepository({ files: { 'price.js': shopFiles['price.js'] } })
  const server = await startModelServer({ key: KEY, replies: [hangs, ...work] })
  const dataDir = join(await temporaryFolder(), 'data')
  const first = startBackendChild(dataDir, openaiEnvironment(server))
  const events: WireEvent[] = []
  first.follow(event => events.push(event))
  const { plan_id } = await first.call('_cleveragents/plan/use', {
    action_name: 'builtin/task',
    args: { prompt: TASK },
    folder: root,
    automation_profile: 'full-auto',
  })
  await waitFor(() => events.some(each => each.method === '_cleveragents/step/output'))
  const { limits } = await first.call('_cleveragents/plan/status', { plan_id })
  await killNow(first)
  expect(await server.requests()[0]?.ended).toBe('left')

  const second = startBackendChild(dataDir, openaiEnvironment(server))
  const done = await second.call('_cleveragents/plan/status', { plan_id, wait: true })
  expect(whereabouts(done)).toBe('apply/applied')
  expect(await readFile(join(root, 'price.js'), 'utf8')).toBe(RESULT)
  const [asked, again, ...later] = server.requests().map(({ body }) => body.messages)
  expect([again, later.length]).toEqual([asked, 2])
  const { steps } = await second.call('_cleveragents/plan/steps', { plan_id })
  const answers = steps.filter(({ kind }) => kind === 'model').map(({ status }) => status)
  expect(answers).toEqual(Array(3).fill('done'))
  // What was cut off is paid once, as it was reserved.
  expect(done.cost.tokens).toBe(limits.tokens.reserved + 3 * 1_100)
})
