import { chmod, mkdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/domain/sandbox/strategy.ts'
import { bytes, lines } from '../../support/contract-files.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { type FileTree, makeRepository, repositoryAt, type TestRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, applyAll, checkpoint, chosen, never, openSandbox } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test("the user's staged and unstaged work, branch and stash are as before", async () => {
  const repository = await makeRepository({ files: { 'a.txt': lines(20), 'b.txt': 'b\n', 'c.txt': 'c\n' } })
  await repository.write({ 'b.txt': 'stashed\n' })
  await repository.git('stash')
  await repository.write({ 'b.txt': 'staged\n' })
  await repository.git('add', 'b.txt')
  await repository.write({ 'b.txt': 'unstaged\n', 'd.txt': 'untracked\n' })
  const sandbox = await openSandbox(repository)
  await repositoryAt(sandbox.root).write({ 'a.txt': `${lines(20)}plan\n` })
  const before = await snapshotFolder(join(repository.root, '.git'), { except: [] })

  await applyAll(sandbox)

  expect(await snapshotFolder(join(repository.root, '.git'), { except: [] })).toEqual(before)
  expect(await repository.git('status', '--porcelain')).toBe(' M a.txt\nMM b.txt\n?? d.txt\n')
})

test('a change follows a file that the plan moved and the user edited, and the other way round', async () => {
  const repository = await makeRepository({ files: { 'a.txt': lines(20), 'b.txt': lines(30) } })
  const sandbox = await openSandbox(repository)
  await rename(join(sandbox.root, 'a.txt'), join(sandbox.root, 'moved.txt'))
  await writeFile(join(sandbox.root, 'b.txt'), `${lines(30)}plan\n`)
  await writeFile(join(repository.root, 'a.txt'), `user\n${lines(20)}`)
  await rename(join(repository.root, 'b.txt'), join(repository.root, 'mine.txt'))

  await applyAll(sandbox)

  expect(await readFile(join(repository.root, 'moved.txt'), 'utf8')).toBe(`user\n${lines(20)}`)
  expect(await readFile(join(repository.root, 'mine.txt'), 'utf8')).toBe(`${lines(30)}plan\n`)
  expect(Object.keys(await bytes(repository.root))).toEqual(['mine.txt', 'moved.txt'])
})

test('the same change on both sides is no conflict and no write', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const sandbox = await openSandbox(repository)
  for (const root of [sandbox.root, repository.root]) await writeFile(join(root, 'a.txt'), 'same\n')
  const before = await snapshotFolder(repository.root)

  expect(await applyAll(sandbox)).toMatchObject({ outcome: 'applied', written: [], unchanged: ['a.txt'] })
  expect(await snapshotFolder(repository.root)).toEqual(before)
})

test('edits to different parts of repeated code land where they belong', async () => {
  const block = (name: string) => `function ${name}() {\n  return 1\n}\n\n`
  const repository = await makeRepository({ files: { 'a.js': block('f1') + block('f2') + block('f3') } })
  const sandbox = await openSandbox(repository)
  await writeFile(join(sandbox.root, 'a.js'), block('f1') + block('f2').replace('1', '2') + block('f3'))
  await writeFile(join(repository.root, 'a.js'), block('f2') + block('f3'))

  const report = await applyAll(sandbox)

  expect(report).toMatchObject({ outcome: 'applied' })
  expect(await readFile(join(repository.root, 'a.js'), 'utf8')).toBe(
    block('f2').replace('1', '2') + block('f3'),
  )
})

const conflicts: {
  title: string
  plan: FileTree | Edit
  user: FileTree | Edit
  expected: [path: string, kind: string][]
}[] = [
  {
    title: 'binary files changed on both sides',
    plan: { 'b.bin': Uint8Array.from([0, 1]) },
    user: { 'b.bin': Uint8Array.from([0, 2]) },
    expected: [['b.bin', 'binary']],
  },
  {
    title: 'a file the plan changed and the user deleted',
    plan: { 'a.txt': 'plan\n' },
    user: root => rm(join(root, 'a.txt')),
    expected: [['a.txt', 'modify_delete']],
  },
  {
    title: 'a file the plan deleted and the user changed',
    plan: root => rm(join(root, 'a.txt')),
    user: { 'a.txt': 'user\n' },
    expected: [['a.txt', 'modify_delete']],
  },
  {
    title: 'a file moved to two places',
    plan: root => rename(join(root, 'a.txt'), join(root, 'plan.txt')),
    user: root => rename(join(root, 'a.txt'), join(root, 'user.txt')),
    expected: [['a.txt', 'rename']],
  },
  {
    title: 'a file created on both sides with different contents',
    plan: { 'new.txt': 'plan\n' },
    user: { 'new.txt': 'user\n' },
    expected: [['new.txt', 'content']],
  },
  {
    title: 'a file where the user made a folder',
    plan: { new: 'plan\n' },
    user: { 'new/file.txt': 'user\n' },
    expected: [['new', 'file_directory']],
  },
  {
    title: 'a file that the user has but git ignores',
    plan: { '.gitignore': '\n', 'secret.env': 'plan\n' },
    user: { 'secret.env': 'user\n' },
    expected: [['secret.env', 'foreign']],
  },
  {
    title: 'a new file in a folder that became a link to elsewhere',
    plan: { 'dir/new.txt': 'plan\n' },
    user: async root => {
      await rm(join(root, 'dir'), { recursive: true })
      await symlink(await temporaryFolder(), join(root, 'dir'))
    },
    expected: [['dir', 'file_directory']],
  },
  {
    title: 'a new file in an ignored folder that is a link to elsewhere',
    plan: { 'linked.env/new.txt': 'plan\n', '.gitignore': '\n' },
    user: async root => symlink(await temporaryFolder(), join(root, 'linked.env')),
    expected: [['linked.env/new.txt', 'unsafe_parent']],
  },
  {
    title: 'a new file in a folder that became a repository of its own',
    plan: { 'nested/new.txt': 'plan\n' },
    user: async root => {
      await mkdir(join(root, 'nested'))
      await repositoryAt(join(root, 'nested')).git('init', '-q')
    },
    expected: [['nested/new.txt', 'foreign']],
  },
]

type Edit = (root: string) => Promise<unknown>

test.for(conflicts)('nothing is written because of $title', async ({ plan, user, expected }) => {
  const repository = await makeRepository({
    files: {
      '.gitignore': '*.env\n',
      'a.txt': lines(20),
      'b.bin': Uint8Array.from([0, 0]),
      'dir/old.txt': 'old\n',
    },
  })
  const sandbox = await openSandbox(repository)
  await change(sandbox.root, plan)
  await writeFile(join(sandbox.root, 'harmless.txt'), 'harmless\n')
  await change(repository.root, user)
  const before = await snapshotFolder(repository.root, { except: [] })

  const report = await applyAll(sandbox)

  expect(report.outcome === 'constrained' && report.conflicts.map(({ path, kind }) => [path, kind])).toEqual(
    expected,
  )
  expect(await snapshotFolder(repository.root, { except: [] })).toEqual(before)
})

test('files, folders and links swap places', async () => {
  const repository = await makeRepository({
    files: {
      'file.txt': 'file\n',
      'folder/one.txt': 'one\n',
      'folder/two.txt': 'two\n',
      link: { link: 'file.txt' },
    },
  })
  const sandbox = await openSandbox(repository)
  for (const name of ['file.txt', 'folder', 'link']) await rm(join(sandbox.root, name), { recursive: true })
  await repositoryAt(sandbox.root).write({
    'file.txt/inside.txt': 'inside\n',
    folder: { link: 'file.txt' },
    'link/x.txt': 'x\n',
  })

  await applyAll(sandbox)

  expect(await bytes(repository.root)).toEqual(await bytes(sandbox.root))
  expect(await readlink(join(repository.root, 'folder'))).toBe('file.txt')
})

test('a folder with folders in it and a file swap places', async () => {
  const repository = await makeRepository({ files: { 'b/x/deep.txt': 'deep\n', c: 'c\n' } })
  const sandbox = await openSandbox(repository)
  for (const name of ['b', 'c']) await rm(join(sandbox.root, name), { recursive: true })
  await repositoryAt(sandbox.root).write({ b: 'file\n', 'c/y/deep.txt': 'deep\n' })

  expect(await applyAll(sandbox)).toMatchObject({ outcome: 'applied', left: [] })

  expect(await bytes(repository.root)).toEqual(await bytes(sandbox.root))
})

test('a folder with folders in it and a link that leads to itself swap places', async () => {
  const repository = await makeRepository({ files: { 'b/x/deep.txt': 'deep\n', c: { link: 'c' } } })
  const sandbox = await openSandbox(repository)
  for (const name of ['b', 'c']) await rm(join(sandbox.root, name), { recursive: true })
  await repositoryAt(sandbox.root).write({ b: { link: 'b' }, 'c/y/deep.txt': 'deep\n' })

  expect(await applyAll(sandbox)).toMatchObject({ outcome: 'applied', left: [] })

  expect(await bytes(repository.root)).toEqual(await bytes(sandbox.root))
})

test('permissions are the user’s, the executable bit is the plan’s', async () => {
  const repository = await makeRepository({
    files: { 'private.txt': 'a\n', 'script.sh': 'b\n', 'tool.sh': { executable: 'c\n' } },
  })
  await chmod(join(repository.root, 'private.txt'), 0o600)
  const sandbox = await openSandbox(repository)
  await writeFile(join(sandbox.root, 'private.txt'), 'changed\n')
  await chmod(join(sandbox.root, 'script.sh'), 0o755)
  await chmod(join(sandbox.root, 'tool.sh'), 0o644)

  await applyAll(sandbox)

  const modes = Object.values(await bytes(repository.root)).map(line => line.split(' ')[1])
  expect(modes).toEqual(['600', '755', '644'])
})

test('line endings of files that git would convert are written as the plan left them', async () => {
  const repository = await makeRepository({
    files: { '.gitattributes': '* text=auto eol=crlf\n', 'a.txt': 'one\ntwo\n' },
  })
  await rm(join(repository.root, 'a.txt'))
  await repository.git('checkout', '-q', '--', 'a.txt')
  const sandbox = await openSandbox(repository)
  await writeFile(join(sandbox.root, 'a.txt'), 'one\r\ntwo\r\nthree\r\n')

  await applyAll(sandbox)

  expect(await readFile(join(repository.root, 'a.txt'), 'utf8')).toBe('one\r\ntwo\r\nthree\r\n')
})

test('two plans from the same start merge one after the other', async () => {
  const repository = await makeRepository({ files: { 'a.txt': lines(20) } })
  const first = await openSandbox(repository)
  const second = await openSandbox(repository)
  await writeFile(join(first.root, 'a.txt'), lines(20).replace('line 2\n', 'first\n'))
  await writeFile(join(second.root, 'a.txt'), lines(20).replace('line 19\n', 'second\n'))

  await applyAll(first)
  await applyAll(second)

  const both = lines(20).replace('line 2\n', 'first\n').replace('line 19\n', 'second\n')
  expect(await readFile(join(repository.root, 'a.txt'), 'utf8')).toBe(both)
})

test('commits and another branch meanwhile do not matter and are reported', async () => {
  const repository = await makeRepository({ files: { 'a.txt': lines(20) } })
  const sandbox = await openSandbox(repository)
  await writeFile(join(sandbox.root, 'a.txt'), `${lines(20)}plan\n`)
  await repository.git('checkout', '-q', '-b', 'other')
  await repository.write({ 'a.txt': `user\n${lines(20)}` })
  await repository.git('commit', '-qam', 'Other')

  const report = await applyAll(sandbox)

  expect(report).toMatchObject({
    notices: [
      'In your repository other is checked out, and main was when the plan began; the base moved by 1 commit. The plan was merged around that.',
    ],
  })
  expect(await readFile(join(repository.root, 'a.txt'), 'utf8')).toBe(`user\n${lines(20)}plan\n`)
})

test('removing the last file of a folder removes the folder, not its neighbours', async () => {
  const repository = await makeRepository({ files: { 'a/b/c.txt': 'c\n', 'a/d.txt': 'd\n' } })
  const sandbox = await openSandbox(repository)
  await rm(join(sandbox.root, 'a/b'), { recursive: true })

  await applyAll(sandbox)

  expect(Object.keys(await bytes(repository.root))).toEqual(['a/', 'a/d.txt'])
})

test('a chosen folder takes its files, and a chosen rename both its names', async () => {
  const repository = await makeRepository({
    files: { 'a.txt': lines(20), 'dir/b.txt': 'b\n', 'c.txt': 'c\n' },
  })
  const sandbox = await openSandbox(repository)
  await rename(join(sandbox.root, 'a.txt'), join(sandbox.root, 'z.txt'))
  await repositoryAt(sandbox.root).write({
    'dir/b.txt': 'changed\n',
    'dir/new.txt': 'new\n',
    'c.txt': 'left\n',
  })
  const state = await checkpoint(sandbox)
  const [, , added] = expectOk(await sandbox.changes(sandbox.baseline, state)).files
  const renamed = expectOk(await sandbox.changes(sandbox.baseline, state)).files.find(
    file => file.status === 'renamed',
  )
  if (!added || !renamed) throw new Error('expected a rename and an added file')

  const report = expectOk(
    await sandbox.apply(chosen(sandbox, state, [renamed.path, 'dir' as typeof renamed.path]), never),
  )

  expect(report).toMatchObject({ written: ['a.txt', 'dir/b.txt', 'dir/new.txt', 'z.txt'] })
  expect(Object.keys(await bytes(repository.root))).toEqual([
    'c.txt',
    'dir/',
    'dir/b.txt',
    'dir/new.txt',
    'z.txt',
  ])
})

test('a chosen path that the plan did not change is refused', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } })
  const sandbox = await openSandbox(repository)
  await writeFile(join(sandbox.root, 'a.txt'), 'changed\n')
  const state = await checkpoint(sandbox)
  const [file] = expectOk(await sandbox.changes(sandbox.baseline, state)).files
  if (!file) throw new Error('expected a changed file')

  const refused = await sandbox.apply(chosen(sandbox, state, [file.path, 'b.txt' as typeof file.path]), never)

  expect(refused).toMatchObject({ ok: false, failure: { code: 'not_found', facts: { path: 'b.txt' } } })
  expect(await readFile(join(repository.root, 'a.txt'), 'utf8')).toBe('a\n')
})

test('a project on another file system than the sandboxes is written too', async () => {
  const root = join(await temporaryFolder('/dev/shm/agents-test-'), 'project')
  await mkdir(root)
  const repository = repositoryAt(root)
  await repository.git('init', '-q')
  await repository.write({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const sandbox = await openSandbox(repository)
  await repositoryAt(sandbox.root).write({ 'a.txt': 'changed\n', 'new/c.txt': 'c\n', l: { link: 'a.txt' } })
  await rm(join(sandbox.root, 'b.txt'))

  await applyAll(sandbox)

  expect(await bytes(root)).toEqual(await bytes(sandbox.root))
})

test('a stopped apply writes nothing', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const sandbox = await openSandbox(repository)
  await writeFile(join(sandbox.root, 'a.txt'), 'changed\n')
  const state = await checkpoint(sandbox)

  const refused = await sandbox.apply(all(sandbox, state), AbortSignal.abort())

  expect(refused).toMatchObject({ ok: false, failure: { code: 'interrupted' } })
  expect(await readFile(join(repository.root, 'a.txt'), 'utf8')).toBe('a\n')
})

test('the patch is one that git takes: text, binary, modes, links, renames and names of any bytes', async () => {
  const repository = await makeRepository({
    files: {
      'a.txt': 'no newline at end',
      'b.bin': Uint8Array.from([0, 1]),
      'm.sh': 'm\n',
      'old.txt': lines(20),
      l: { link: 'a.txt' },
    },
  })
  const sandbox = await openSandbox(repository)
  await repositoryAt(sandbox.root).write({
    'a.txt': 'line\r\nmixed\n',
    'b.bin': Uint8Array.from([0, 2, 255]),
    'tab\t"q': 'q\n',
  })
  await writeFile(
    Buffer.concat([Buffer.from(`${sandbox.root}/`), Buffer.from([0xff])]),
    'latin \xe9',
    'latin1',
  )
  await chmod(join(sandbox.root, 'm.sh'), 0o755)
  await rename(join(sandbox.root, 'old.txt'), join(sandbox.root, 'new.txt'))
  await rm(join(sandbox.root, 'l'))
  await symlink('b.bin', join(sandbox.root, 'l'))

  const target = await applyPatch(repository, sandbox)

  expect(await bytes(target)).toEqual(await bytes(sandbox.root))
})

async function applyPatch(repository: TestRepository, sandbox: Sandbox): Promise<string> {
  const patch = expectOk(await sandbox.patch(sandbox.baseline, await checkpoint(sandbox)))
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'plan.patch'), patch)
  await repository.git('clone', '-q', repository.root, join(folder, 'clone'))
  await repositoryAt(join(folder, 'clone')).git('apply', join(folder, 'plan.patch'))
  return join(folder, 'clone')
}

async function change(root: string, how: FileTree | Edit): Promise<void> {
  if (typeof how === 'function') await how(root)
  else await repositoryAt(root).write(how)
}
