import { expect, test } from 'vitest'
import { snapshotFolder } from './folder-snapshot.ts'
import { makeRepository } from './repository.ts'

test('a test repository is committed, clean and on branch main', async () => {
  const repository = await makeRepository({
    files: { 'a.txt': 'a\n', 'run.sh': { executable: '#!/bin/sh\n' }, l: { link: 'a.txt' } },
  })

  expect(await repository.git('status', '--porcelain', '--branch')).toBe('## main\n')
  expect(Object.keys(await snapshotFolder(repository.root))).toEqual(['a.txt', 'l', 'run.sh'])
})

test('a test repository that is made once more is as the first, and has nothing to do with it', async () => {
  const files = { 'a.txt': 'a\n', 'run.sh': { executable: '#!/bin/sh\n' }, l: { link: 'a.txt' } }
  const first = await makeRepository({ files })
  await first.write({ 'a.txt': 'changed\n' })
  await first.git('commit', '-q', '-am', 'More')

  const second = await makeRepository({ files })

  expect(await second.git('diff-index', '--raw', 'HEAD')).toBe('')
  expect(await second.git('log', '--format=%s')).toBe('Start\n')
  expect(await second.git('fsck', '--strict')).toBe('')
})

test('a folder snapshot tells contents, permission bits and timestamps apart', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const before = await snapshotFolder(repository.root)

  await repository.write({ 'a.txt': 'a\n', 'b.txt': 'b\n' })

  const after = await snapshotFolder(repository.root)
  expect(Object.keys(after)).toEqual(['a.txt', 'b.txt'])
  expect(after['a.txt']).not.toBe(before['a.txt'])
})
