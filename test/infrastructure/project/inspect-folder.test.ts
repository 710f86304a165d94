import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGit } from '../../../src/infrastructure/git/git.ts'
import { inspectFolder } from '../../../src/infrastructure/project/inspect-folder.ts'
import { makeRepository } from '../../support/repository.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const git = createGit(process.env)

test('a folder inside a checkout belongs to the whole checkout', async () => {
  const { root } = await makeRepository({ files: { 'src/a.ts': 'a\n' } })
  expect(await inspectFolder(git, join(root, 'src'))).toMatchObject({
    ok: true,
    value: { root, resource: 'git-checkout' },
  })
})

test('a bare repository is refused for what it is', async () => {
  const folder = join(await temporaryFolder(), 'bare')
  await mkdir(folder)
  await git({ args: ['init', '--quiet', '--bare'], cwd: folder, settings: 'isolated' })
  expect(await inspectFolder(git, folder)).toMatchObject({
    ok: false,
    failure: { code: 'invalid_input', message: expect.stringContaining('bare git repository') },
  })
})
