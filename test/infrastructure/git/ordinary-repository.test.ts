import { appendFile, mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createGit } from '../../../src/infrastructure/git/git.ts'
import { isOrdinaryRepository } from '../../../src/infrastructure/git/ordinary-repository.ts'
import { describeRepository } from '../../../src/infrastructure/sandboxes/store/project-repository.ts'
import { makeRepository, type TestRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { never } from '../../support/sandbox.ts'

/** Each makes it one about which git has to be asked. */
const unusual: Record<string, (repository: TestRepository) => Promise<unknown>> = {
  'a setting names another working folder': ({ git }) => git('config', 'core.worktree', '..'),
  'it says that it is bare': ({ git }) => git('config', 'core.bare', 'true'),
  'it has a form of later versions': ({ git }) => git('config', 'core.repositoryFormatVersion', '1'),
  'it has an extension': ({ git }) => git('config', 'extensions.worktreeConfig', 'true'),
  'its settings are in another file': ({ git }) => git('config', 'include.path', 'other'),
  'its settings cannot be understood': ({ root }) => appendFile(join(root, '.git/config'), '[core\n'),
  'a setting goes on in the next line': ({ root }) =>
    appendFile(join(root, '.git/config'), '[a]\nb = c \\\n'),
  'it has no settings': ({ root }) => rename(join(root, '.git/config'), join(root, '.git/away')),
  'it takes one commit for another': async ({ git }) => {
    await git('commit', '-q', '--allow-empty', '-m', 'Next')
    await git('replace', 'HEAD', 'HEAD~1')
  },
  'that is packed': async ({ git }) => {
    await git('commit', '-q', '--allow-empty', '-m', 'Next')
    await git('replace', 'HEAD', 'HEAD~1')
    await git('pack-refs', '--all')
  },
  'its folder is a link': async ({ root }) => {
    await rename(join(root, '.git'), `${root}.git`)
    await symlink(`${root}.git`, join(root, '.git'))
  },
  'its folder is elsewhere': async ({ root }) => {
    await rename(join(root, '.git'), `${root}.git`)
    await writeFile(join(root, '.git'), `gitdir: ${root}.git\n`)
  },
  'it is part of another': ({ root }) => writeFile(join(root, '.git/commondir'), '../other\n'),
  'it has nothing': async ({ root }) => {
    await rename(join(root, '.git'), `${root}.git`)
    await mkdir(join(root, '.git'))
  },
}

describe('a repository is not an ordinary one when', () => {
  test.each(Object.entries(unusual))('%s', async (_, change) => {
    const repository = await makeRepository()
    expect(isOrdinaryRepository(repository.root)).toBe(true)
    await change(repository)
    expect(isOrdinaryRepository(repository.root)).toBe(false)
  })
})

test('what the files say of an ordinary repository is what git says of it', async () => {
  const { root, git } = await makeRepository()
  await git('remote', 'add', 'origin', 'https://example.com/project.git')
  const fromFiles = async () => {
    expect(isOrdinaryRepository(root)).toBe(true)
    const access = { git: onlySettings, environment: process.env }
    return expectOk(await describeRepository(access, root, never))
  }
  const fromGit = async () => ({
    root: (await git('rev-parse', '--show-toplevel')).trim(),
    gitDir: (await git('rev-parse', '--absolute-git-dir')).trim(),
    headTree: (await git('rev-parse', 'HEAD^{tree}')).trim(),
    headCommit: (await git('rev-parse', 'HEAD')).trim(),
    objectFormat: (await git('rev-parse', '--show-object-format')).trim(),
  })

  expect(await fromFiles()).toMatchObject(await fromGit())
  await git('gc', '-q')
  expect(await fromFiles()).toMatchObject(await fromGit())
  await git('checkout', '-q', '--detach')
  expect(await fromFiles()).toMatchObject({ ...(await fromGit()), head: await headOf(git) })
})

/** Fails a test in which anything else is asked. */
const onlySettings: ReturnType<typeof createGit> = (call, signal) => {
  expect(call.args[0]).toBe('config')
  return createGit(process.env)(call, signal)
}

async function headOf(git: TestRepository['git']): Promise<string> {
  return (await git('rev-parse', 'HEAD')).trim()
}
