import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readIndex } from '../../../src/infrastructure/sandboxes/store/read-index.ts'
import { makeRepository, type TestRepository } from '../../support/repository.ts'

const files = {
  'a.txt': 'a\n',
  'run.sh': { executable: '#!/bin/sh\n' },
  link: { link: 'a.txt' },
  'folder/ä b\n.txt': 'odd\n',
  'folder/deeper/of several/names.txt': 'deep\n',
  'folder/deeper/of several/nanes.txt': 'deep\n',
  [`long/${'n'.repeat(200)}/${'m'.repeat(250)}.txt`]: 'long\n',
}

test.each([
  ['version 2', 'sha1', ['update-index', '--index-version', '2']],
  ['version 4, which shortens names', 'sha1', ['update-index', '--index-version', '4']],
  ['a repository of longer names of objects', 'sha256', ['update-index', '--index-version', '2']],
] as const)('an index of %s is read as git reads it', async (_, objectFormat, turn) => {
  const repository = await makeRepository({ files, objectFormat })
  await repository.git(...turn)
  await repository.git('update-index', '--assume-unchanged', 'a.txt')
  // Only an extended entry can say this.
  await repository.git('update-index', '--skip-worktree', 'run.sh')

  expect(read(repository)).toEqual(await asGitSays(repository))
})

test('an index with a part in another file, or with a wrong sum, is left to git', async () => {
  const repository = await makeRepository({ files })
  const whole = indexOf(repository)
  await repository.git('update-index', '--split-index')
  expect(readIndex(whole)).toBeNull()
  await writeFile(whole, Buffer.concat([Buffer.from('DIRC'), Buffer.alloc(60)]))
  expect(readIndex(whole)).toBeNull()
})

test('an index says what tree it is until something in it changes', async () => {
  const repository = await makeRepository({ files })
  const tree = (await repository.git('write-tree')).trim()
  expect(readIndex(indexOf(repository))?.tree).toBe(tree)

  await repository.write({ 'a.txt': 'changed\n' })
  await repository.git('add', 'a.txt')

  expect(readIndex(indexOf(repository))?.tree).toBeNull()
})

test('without an index there are no entries', async () => {
  expect(readIndex('/nonexistent/index')).toEqual({ entries: [], tree: null })
})

function indexOf({ root }: TestRepository): string {
  return join(root, '.git/index')
}

function read(repository: TestRepository): string[] | undefined {
  return readIndex(indexOf(repository))?.entries.map(({ path, mode, isAssumedUnchanged, isSkipped }) => {
    const tag = isSkipped ? 'S' : 'H'
    return `${isAssumedUnchanged ? tag.toLowerCase() : tag} ${mode} ${path}`
  })
}

async function asGitSays({ git }: TestRepository): Promise<string[]> {
  const listed = (await git('ls-files', '--stage', '-v', '-z')).split('\0').slice(0, -1)
  return listed.map(line => line.replace(/^(\S) (\d+) \S+ \d\t/, '$1 $2 '))
}
