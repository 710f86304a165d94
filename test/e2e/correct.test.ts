/** A decision is corrected at its node, by keyboard, wherever the plan stands; the rest keeps its result. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Agents, type AgentsScreen, openAgents, runAgents } from '../support/agents.ts'
import { keys } from '../support/keys.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const action = `name: local/greet
description: Greet and take leave
definition_of_done: Both texts are there
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
recipe:
  strategize:
    - decide:
        id: whom
        type: strategy_choice
        question: Who is greeted?
        options:
          - { id: world, label: The world, set: { whom: world } }
          - { id: moon, label: The moon, set: { whom: moon } }
        choose: world
        confidence: 0.9
  execute:
    - decide:
        id: hello
        type: implementation_choice
        depends_on: [whom]
        question: How is it said?
        options:
          - { id: plain, label: Plainly, set: { hello: Hello } }
          - { id: warm, label: Warmly, set: { hello: Dear } }
        choose: plain
        confidence: 0.9
    - tool: { name: builtin/write_file, with: { path: hello.txt, content: "\${{ vars.hello }} \${{ vars.whom }}\\n" } }
    - decide:
        id: bye
        type: implementation_choice
        question: How does it end?
        options: [{ id: short, label: In one word }]
        choose: short
        confidence: 0.9
    - tool: { name: builtin/write_file, with: { path: bye.txt, content: "Bye\\n" } }
`

test('a strategy is taken again by one key in Strategize, and again in Execute, where what does not depend on it is kept', async () => {
  const { screen } = await aPlan()
  await select(screen, 'The world')
  await screen.press('c', '1')
  await screen.waitForText('Taken again as: The moon')
  await screen.press('a')
  await screen.waitForSelected('The moon')

  await screen.openGate('Carry out this strategy')
  await screen.approve()
  await screen.waitForText('Apply these changes')
  await select(screen, 'strategy  The moon')
  await screen.press('c', '1')
  await screen.waitForText(/In one word.*kept/)
  expect(screen.text()).toMatch(/Plainly.*rolled back, redone/)
  await screen.press('a')
  await screen.waitForSelected('The world')
  await screen.openGate('Carry out this strategy')
  await screen.approve()
  await screen.openGate('Apply these changes')
  await screen.press('d', ']')
  await screen.waitForText('+Hello world')
})

test('a decision in Execute is taken again, compared with what was, and undone', async () => {
  const { screen, root } = await aPlan()
  await screen.openGate('Carry out this strategy')
  await screen.approve()
  await screen.waitForText('Apply these changes')
  await select(screen, 'Plainly')
  await screen.press('c', '1')
  await screen.waitForText(/Plainly.*corrected here/)
  await screen.press('a')
  await screen.waitForSelected('Warmly')
  await screen.waitForText('Apply these changes')

  await screen.press('=')
  await screen.waitForText('before the correction of')
  await screen.press(keys.enter)
  await screen.waitForText('+Dear world')
  await screen.press('v')
  await screen.waitForText(/-Hello world +│ +1 \+Dear world/)
  await screen.press('q')
  await screen.waitForText('The result as it is now')
  await screen.press('q', 's')
  await screen.waitForText(/⊘ impl +Plainly/)
  await screen.press('s')

  await screen.press('u')
  await screen.waitForText(/Plainly.*holds again/)
  await screen.press('a')
  await screen.waitForText('It is again as it was before.')
  await screen.waitForText(/● impl +Plainly/)
  await screen.openGate('Rolled back to')
  await screen.approve()
  await screen.openGate('Apply these changes')
  await screen.approve()
  await screen.waitForText('APPLIED')
  expect(await readFile(join(root, 'hello.txt'), 'utf8')).toBe('Hello world\n')
})

test('work is added on top of an applied plan, by a child with a question of its own', async () => {
  const { screen, root } = await aPlan()
  await screen.openGate('Carry out this strategy')
  await screen.approve()
  await screen.openGate('Apply these changes')
  await screen.approve()
  await screen.waitForText('APPLIED')
  await select(screen, 'The world')
  await screen.press('c')
  await screen.waitForText('has been applied')
  await screen.press(keys.enter)
  await screen.waitForText('What is to be added to the result?')
  screen.send('moon')
  await screen.waitForText('moon')
  await screen.press(keys.enter)
  await screen.waitForText('Everything stays as it is.')
  await screen.press('a')
  await screen.waitForText(/[⊞⏸] child/)
  while (!screen.text().includes('1 of 1 done')) {
    await screen.waitForText(/g answer|1 of 1 done/)
    if (screen.text().includes('1 of 1 done')) break
    await screen.openGate('g answer')
    await screen.approve()
  }
  expect(await readFile(join(root, 'hello.txt'), 'utf8')).toBe('Hello moon\n')
})

/** A plan that asks before Execute and before Apply, open on the screen at its first question. */
async function aPlan(): Promise<{ screen: AgentsScreen; root: string }> {
  const { root } = await makeRepository({ files: { 'readme.md': '# Greet\n' } })
  const folder = await temporaryFolder()
  const agents: Agents = { dataDir: join(folder, 'data'), cwd: root }
  await writeFile(join(folder, 'greet.yaml'), action)
  await runAgents(agents, 'action', 'create', '--config', join(folder, 'greet.yaml'))
  await runAgents(agents, 'plan', 'use', 'greet', '--automation-profile', 'demo')
  const screen = openAgents(agents, ['ui'])
  await screen.waitForText('Carry out')
  // To the tree; an answered card leads back there.
  await screen.press(keys.tab)
  return { screen, root }
}

/** Down the tree to the decision with this label. */
async function select(screen: AgentsScreen, label: string): Promise<void> {
  await screen.press(keys.home)
  await screen.waitFor('the first row', () => rowOf(screen)?.includes('goal') ?? false)
  while (!rowOf(screen)?.includes(label)) {
    const before = rowOf(screen)
    await screen.press(keys.down)
    await screen.waitFor('the selection to move', () => rowOf(screen) !== before)
  }
}

/** The row of the tree that is selected; the list of plans, left of it, marks one of its own. */
function rowOf(screen: AgentsScreen): string | undefined {
  const row = screen.lines().find(line => line.lastIndexOf('▌') > 20)
  return row?.slice(row.lastIndexOf('▌'), 82)
}
