/** A plan on one's own repository, from the form to changed files. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAgents } from '../support/agents.ts'
import { keys } from '../support/keys.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('the form starts builtin/replace-text, which asks for its strategy and changes the files', async () => {
  const repository = await makeRepository({
    files: {
      'src/one.ts': 'export const oldName = 1\n',
      'src/two.ts': 'use(oldName)\n',
      'notes.md': 'none\n',
    },
  })
  const screen = openAgents({ dataDir: join(await temporaryFolder(), 'data'), cwd: repository.root }, ['ui'])
  await screen.waitForText('Welcome')
  await screen.press('n')
  await screen.waitForText('builtin/codemod')
  screen.send('replace')
  await screen.waitFor('one action', () => !screen.text().includes('builtin/codemod'))
  await screen.press(keys.enter)
  await screen.waitForText('find')
  screen.send('oldName')
  await screen.waitForText('oldName')
  await screen.press(keys.tab)
  screen.send('newName')
  await screen.waitForText('newName')
  for (const profile of ['manual', 'review', 'supervised']) {
    await screen.press(keys.ctrl('p'))
    await screen.waitForText(profile)
  }
  await screen.press(keys.ctrl('s'))
  for (let asked = 0; asked < 12 && !screen.text().includes('APPLIED'); asked++) {
    await screen.waitForText(/g answer|APPLIED/)
    if (screen.text().includes('APPLIED')) break
    await screen.openGate('g answer')
    await screen.approve()
  }
  await screen.waitForText('APPLIED')
  expect(await readFile(join(repository.root, 'src/one.ts'), 'utf8')).toBe('export const newName = 1\n')
  expect(await readFile(join(repository.root, 'src/two.ts'), 'utf8')).toBe('use(newName)\n')
  expect((await repository.git('status', '--porcelain')).trim().split('\n')).toHaveLength(2)
})
