import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRefs } from '../../../src/infrastructure/git/refs-as-files.ts'
import { makeRepository } from '../../support/repository.ts'

test('refs are read from their files as git lists them, wherever each of them is kept', async () => {
  const { root, git } = await makeRepository()
  const commit = (await git('rev-parse', 'HEAD')).trim()
  await git('branch', 'feature/one')
  await git('tag', '-a', '-m', 'First', 'v1.0')
  await git('update-ref', 'refs/remotes/origin/main', commit)
  await git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main')
  await git('update-ref', 'refs/elsewhere/x', commit)
  await git('pack-refs', '--all')
  await git('commit', '-q', '--allow-empty', '-m', 'Newer than what is packed')
  await git('branch', 'feature.two')

  const format = '--format=%(objectname) %(refname)'
  const listed = await git('for-each-ref', format, 'refs/heads', 'refs/remotes', 'refs/tags')
  const found = [...(readRefs(join(root, '.git')) ?? [])].map(([name, object]) => `${object} ${name}\n`)
  expect(found.join('')).toBe(listed)

  await git('branch', 'ünusual')
  expect(readRefs(join(root, '.git'))).toBeNull()
  await git('branch', '-D', 'ünusual')
  // It leads to nothing.
  await git('symbolic-ref', 'refs/heads/dangling', 'refs/heads/nowhere')
  expect(readRefs(join(root, '.git'))).toBeNull()
})
