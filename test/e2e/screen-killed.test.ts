/** The screen is killed while its backend works: nothing is left behind. */
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { type Agents, openAgents, runAgents } from '../support/agents.ts'
import { findFiles } from '../support/find-files.ts'
import { descendantsOf, isAlive } from '../support/processes.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { changedModes } from '../support/terminal-bytes.ts'
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

test('when the screen is killed its backend ends, and the terminal is put back', async () => {
  const agents = await atSlowWork()
  const screen = openAgents(agents, ['ui'])
  await startPlan(agents)
  await screen.openGate('Carry out this strategy?')
  await screen.approve()
  await screen.waitForText('The slow command')
  await turnsIn(agents)
  await eventually(() =>
    expect(descendantsOf(screen.pid).some(each => each.command.startsWith('/bin/sh -c'))).toBe(true),
  )
  const below = descendantsOf(screen.pid).filter(each => !each.command.startsWith('/bin/sh -c'))

  process.kill(screen.pid, 'SIGKILL')
  await eventually(() => expect(below.filter(each => isAlive(each.pid))).toEqual([]))
  await screen.waitFor('the normal screen', () => !screen.isAlternate())
  expect(changedModes(screen.output())).toEqual([])
})

async function atSlowWork(): Promise<Agents> {
  const temporary = await temporaryFolder()
  const { root } = await makeRepository()
  await writeFile(join(temporary, 'slow.yaml'), action)
  const agents = { dataDir: join(temporary, 'data'), cwd: root }
  const created = await runAgents(agents, 'action', 'create', '--config', join(temporary, 'slow.yaml'))
  expect(created).toMatchObject({ code: 0 })
  return agents
}

/** Leaves at its first gate, for the screen to take over. */
async function startPlan(agents: Agents): Promise<void> {
  const { code, err } = await runAgents(agents, 'plan', 'use', 'local/slow', '--automation-profile', 'demo')
  expect({ code, err }).toMatchObject({ code: 3 })
}

/** The file that the slow command writes before it waits, wherever the sandbox is. */
function turnsIn({ dataDir }: Agents): Promise<string> {
  return eventually(async () => {
    const [found] = await findFiles(dataDir, path => basename(path) === 'turns.txt')
    if (found === undefined) throw new Error('The command does not run yet')
    return found
  })
}
