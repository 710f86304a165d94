/** The backend is killed while it works: the screen says so, asks how to go on, and nothing is lost. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type Agents, type AgentsScreen, openAgents, runAgents } from '../support/agents.ts'
import { findFiles } from '../support/find-files.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { eventually } from '../support/wait-for.ts'

/** Its command ends when somebody puts the file `go` beside it. */
const action = `
name: local/slow
description: Write two files around a command that takes its time
definition_of_done: Both files are there
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
recipe:
  execute:
    - decide:
        id: first
        type: implementation_choice
        question: What comes first?
        options: [{ id: one, label: The first file }]
        choose: one
        confidence: 0.9
    - tool: { name: builtin/write_file, with: { path: one.txt, content: "one\\n" } }
    - decide:
        id: second
        type: implementation_choice
        question: What comes second?
        options: [{ id: two, label: The slow command }]
        choose: two
        confidence: 0.9
    - tool: { name: builtin/run_command, with: { command: "echo turn >> turns.txt; until test -e go; do sleep 0.1; done; rm go" } }
    - tool: { name: builtin/write_file, with: { path: two.txt, content: "two\\n" } }
    - finish: { note: Both files are written }
`

test('a backend killed in the middle of Execute is started again by key, and asks about what it was doing', async () => {
  const { agents, root } = await atSlowWork()
  const screen = openAgents(agents, ['ui'])
  await startPlan(agents)
  await approveUntilSlow(screen, agents)
  const first = (await turnsOf(agents)) ?? ''

  process.kill((await screen.backend()).pid, 'SIGKILL')
  await screen.waitForText('SIGKILL')
  expect(screen.text()).toContain('The slow command')
  await screen.press('R')
  await screen.openGate('Interrupted during')
  expect(screen.text()).toContain('Undo its partial work and run it again')
  const { mtimeMs } = await stat(first)
  await screen.approve()

  // The sandbox goes back to before the command, which then begins anew.
  await eventually(async () => expect((await stat(first)).mtimeMs).toBeGreaterThan(mtimeMs))
  await writeFile(join(dirname(first), 'go'), '')
  await screen.openGate('Apply these changes to your files?')
  await screen.approve()
  await screen.waitForText('APPLIED')
  expect(await readFile(join(root, 'one.txt'), 'utf8')).toBe('one\n')
  expect(await readFile(join(root, 'turns.txt'), 'utf8')).toBe('turn\n')
  expect(await readFile(join(root, 'two.txt'), 'utf8')).toBe('two\n')
})

async function atSlowWork(): Promise<{ agents: Agents; root: string }> {
  const temporary = await temporaryFolder()
  const { root } = await makeRepository()
  await writeFile(join(temporary, 'slow.yaml'), action)
  const agents = { dataDir: join(temporary, 'data'), cwd: root }
  const created = await runAgents(agents, 'action', 'create', '--config', join(temporary, 'slow.yaml'))
  expect(created).toMatchObject({ code: 0 })
  return { agents, root }
}

/** Leaves at its first gate, for the screen to take over. */
async function startPlan(agents: Agents): Promise<void> {
  const { code, err } = await runAgents(
    agents,
    'plan',
    'use',
    'local/slow',
    '--automation-profile',
    'supervised',
  )
  expect({ code, err }).toMatchObject({ code: 3 })
}

/** Profile supervised asks about everything on the way. */
async function approveUntilSlow(screen: AgentsScreen, agents: Agents): Promise<void> {
  while ((await turnsOf(agents)) === undefined) {
    await screen.openGate('g answer')
    await screen.approve()
    await eventually(async () => {
      if (!screen.text().includes('g answer') && !(await turnsOf(agents)))
        throw new Error('Nothing asks or runs')
    })
  }
}

/** The file that the slow command writes before it waits, wherever the sandbox is. */
async function turnsOf({ dataDir }: Agents): Promise<string | undefined> {
  const [found] = await findFiles(dataDir, path => basename(path) === 'turns.txt')
  return found
}
