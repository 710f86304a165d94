import { chmod, lstat, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGit } from '../../../src/infrastructure/git/git.ts'
import { lookAtFolder } from '../../../src/infrastructure/sandboxes/store/look-at-folder.ts'
import { planFolder } from '../../../src/infrastructure/sandboxes/store/plan-folder.ts'
import { openStore } from '../../../src/infrastructure/sandboxes/store/private-store.ts'
import {
  snapshotFolder,
  snapshotQuickly,
  type WorkFolder,
} from '../../../src/infrastructure/sandboxes/store/snapshot.ts'
import { noteUnindexed } from '../../../src/infrastructure/sandboxes/store/unindexed.ts'
import { makeRepository, type TestRepository, userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { planId } from '../../support/sandbox.ts'

const files = {
  '.gitignore': '*.log\n',
  'a.txt': 'one\n',
  'b.txt': 'two\n',
  'folder/c.txt': 'three\n',
  'folder/deep/d.txt': 'four\n',
}

test('what a folder holds is seen without git as git sees it, whatever was done to it', async () => {
  const { root } = await makeRepository({ files })
  const { store, folder } = placesOf(root)
  const at = (path: string) => join(root, path)
  const { atime, mtime } = await lstat(at('a.txt'))
  const steps: (() => Promise<unknown>)[] = [
    async () => {},
    // As long as it was, at the time it had.
    () => writeFile(at('a.txt'), 'uno\n').then(() => utimes(at('a.txt'), atime, mtime)),
    () => chmod(at('b.txt'), 0o755),
    () => writeFile(at('new.txt'), 'new\n').then(() => writeFile(at('new.log'), 'ignored\n')),
    () => rm(at('folder/deep'), { recursive: true }),
    () => rm(at('b.txt')).then(() => symlink('a.txt', at('b.txt'))),
    // Recorded, it stays so, although the rules would have it ignored.
    () => writeFile(at('.gitignore'), '*.log\nnew.txt\n').then(() => writeFile(at('new.txt'), 'newer\n')),
    () => rename(at('folder'), at('moved')).then(() => symlink('moved', at('folder'))),
    () =>
      rm(at('a.txt'))
        .then(() => mkdir(at('a.txt')))
        .then(() => writeFile(at('a.txt/e'), 'five\n')),
  ]

  const byGit: WorkFolder = { ...folder, index: at('.git/index-of-git') }
  for (const step of steps) {
    await step()
    const seen = expectOk(await snapshotQuickly(store, folder))
    expect(seen.tree).toBe(expectOk(await snapshotFolder(store, byGit)).tree)
  }
})

test('no process of git is needed where nothing changed, and one where something is new that nobody recorded', async () => {
  const { root } = await makeRepository({ files })
  const { folder, store, asked } = placesOf(root)

  expect(await lookAtFolder(store, folder)).toMatchObject({ changes: [], nested: [] })
  await writeFile(join(root, 'a.txt'), 'changed\n')
  await rm(join(root, 'b.txt'))
  expect((await lookAtFolder(store, folder))?.changes.map(({ path }) => `${path}`)).toEqual([
    'a.txt',
    'b.txt',
  ])
  expect(asked).toEqual([])

  await writeFile(join(root, 'new.txt'), 'new\n')
  expect((await lookAtFolder(store, folder))?.changes).toHaveLength(3)
  expect(asked).toEqual(['ls-files'])

  await mkdir(join(root, 'fresh'))
  await writeFile(join(root, 'fresh/file.txt'), 'new\n')
  noteUnindexed(
    folder.index,
    ['new.txt', 'fresh/file.txt', 'gone.txt'].map(name => Buffer.from(name)),
  )
  expect(await changed()).toEqual(['a.txt', 'b.txt', 'fresh/file.txt', 'new.txt'])
  expect(asked).toEqual(['ls-files'])
  await writeFile(join(root, 'fresh/other.txt'), 'new\n')
  expect(await changed()).toEqual(['a.txt', 'b.txt', 'fresh/file.txt', 'fresh/other.txt', 'new.txt'])
  expect(asked).toEqual(['ls-files', 'ls-files'])

  async function changed() {
    return (await lookAtFolder(store, folder))?.changes.map(({ path }) => `${path}`).sort()
  }
})

test('what is recorded without the index and stands in the way of what the index has is left to git', async () => {
  const { root } = await makeRepository({ files })
  const { folder, store, asked } = placesOf(root)
  await rm(join(root, 'a.txt'))
  await mkdir(join(root, 'a.txt'))
  await writeFile(join(root, 'a.txt/inside'), 'new\n')
  await rm(join(root, 'folder'), { recursive: true })
  await writeFile(join(root, 'folder'), 'new\n')
  noteUnindexed(
    folder.index,
    ['a.txt/inside', 'folder'].map(name => Buffer.from(name)),
  )

  const found = (await lookAtFolder(store, folder))?.changes.map(each => [`${each.path}`, each.new !== null])

  expect(Object.fromEntries(found ?? [])).toEqual({
    'a.txt': false,
    'a.txt/inside': true,
    folder: true,
    'folder/c.txt': false,
    'folder/deep/d.txt': false,
  })
  expect(asked).toEqual(['ls-files'])
})

test.each([
  ['says that a file is not to be looked at', ['update-index', '--assume-unchanged', 'a.txt']],
  ['leaves a file out of the folder', ['update-index', '--skip-worktree', 'a.txt']],
  ['only announces a file', ['add', '-N', 'announced.txt']],
  ['has a repository inside', ['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inside`]],
  ['was changed since its tree was noted', ['update-index', '--force-remove', 'a.txt']],
  ['keeps most of itself in another file', ['update-index', '--split-index']],
])('an index that %s is left to git', async (_, turn) => {
  const repository = await makeRepository({ files })
  await repository.write({ 'announced.txt': 'soon\n' })
  await repository.git(...turn)
  const { folder, store } = placesOf(repository.root)

  expect(await lookAtFolder(store, folder)).toBeNull()
})

/** The repository itself as a store, with what was asked of git. */
function placesOf(root: TestRepository['root']) {
  const folder: WorkFolder = { workTree: root, index: join(root, '.git/index') }
  const asked: string[] = []
  const git = createGit(userEnvironment())
  const store = openStore(
    (call, signal) => {
      asked.push(call.args[0] ?? '')
      return git(call, signal)
    },
    { ...planFolder(root, planId, root), store: join(root, '.git') },
  )
  return { folder, store, asked }
}
