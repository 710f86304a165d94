/** A person chooses one file in the diff; the approval at the gate before Apply is for that one alone. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Agents, openAgents, runAgents } from '../support/agents.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('one file is chosen by key and applied, the rest waits at a gate of its own', async () => {
  const temporary = await temporaryFolder()
  const agents: Agents = {
    dataDir: join(temporary, 'data'),
    cwd: temporary,
    env: { TMPDIR: temporary },
  }
  const screen = openAgents(agents, ['demo'])
  await screen.openGate('Carry out this strategy?')
  await screen.approve()
  await screen.openGate('Apply these changes to your files?')
  await screen.press('d')
  await screen.waitForText('nothing chosen: approving applies all')
  await screen.press('m')
  await screen.waitForText('[x]')
  await screen.press('q')
  await screen.waitForText('Only what you chose is applied')
  await screen.approve()
  await screen.openGate('Apply the rest of these changes to your files?')

  const applied = JSON.parse(
    (await runAgents(agents, '--format', 'json', 'plan', 'diff', '@latest', '--applied')).out,
  )
  expect(applied.data.files.map((file: { path: string }) => file.path)).toEqual(['README.md'])
  const left = JSON.parse((await runAgents(agents, '--format', 'json', 'plan', 'diff', '@latest')).out)
  expect([left.data.part, left.data.files.length]).toEqual(['left', 8])
})
