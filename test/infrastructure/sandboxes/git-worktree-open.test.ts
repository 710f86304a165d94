import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { identify } from '../../../src/infrastructure/system/process-identity.ts'
import { bytes } from '../../support/contract-files.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import {
  makeRepository,
  repositoryAt,
  type TestRepository,
  userEnvironment,
} from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import {
  checkpoint,
  gitWorktreeStrategy,
  never,
  openSandbox,
  planId,
  strategyNamed,
  tryToOpen,
} from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('staged, unstaged, deleted, untracked and intended files are in the sandbox as they are', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' } })
  await repository.write({ 'a.txt': 'staged\n', 'new/file.txt': 'untracked\n', 'intended.txt': 'intended\n' })
  await repository.git('add', 'a.txt')
  await repository.git('add', '-N', 'intended.txt')
  await repository.write({ 'a.txt': 'unstaged\n' })
  await rm(join(repository.root, 'b.txt'))

  const sandbox = await expectFaithful(repository)

  expect(await repositoryAt(sandbox.root).git('status', '--porcelain')).toBe(
    await repository.git('status', '--porcelain'),
  )
})

test('a repository without commits works and stays without commits', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' }, commit: 'none' })

  const sandbox = await expectFaithful(repository)

  expect(await repositoryAt(sandbox.root).git('status', '--porcelain', '--branch')).toBe(
    '## No commits yet on main\n?? a.txt\n',
  )
})

test('a detached HEAD works and stays detached', async () => {
  const repository = await makeRepository()
  await repository.git('checkout', '-q', '--detach')

  const sandbox = await expectFaithful(repository)

  expect(await repositoryAt(sandbox.root).git('log', '--format=%s')).toBe('Start\n')
})

test('a merge with conflicts is captured with its markers, and said', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  await repository.git('checkout', '-q', '-b', 'other')
  await repository.write({ 'a.txt': 'theirs\n' })
  await repository.git('commit', '-qam', 'Theirs')
  await repository.git('checkout', '-q', 'main')
  await repository.write({ 'a.txt': 'mine\n' })
  await repository.git('commit', '-qam', 'Mine')
  await repository.git('merge', '-q', 'other').catch(() => {})

  const sandbox = await expectFaithful(repository)

  expect(await readFile(join(sandbox.root, 'a.txt'), 'utf8')).toContain('<<<<<<<')
  expect(sandbox.notices).toContain('A merge is in progress in the project.')
})

test('a lock on the index does not matter', async () => {
  const repository = await makeRepository()
  await repository.write({ 'a.txt': 'a\n' })
  await writeFile(join(repository.root, '.git', 'index.lock'), '')

  await expectFaithful(repository)
})

test('a linked worktree is a project like others', async () => {
  const main = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const root = join(await temporaryFolder(), 'linked')
  await main.git('worktree', 'add', '-q', '-b', 'side', root)
  const linked = repositoryAt(root)
  await linked.write({ 'a.txt': 'edited\n', 'b.txt': 'b\n' })

  const sandbox = await expectFaithful(linked)

  expect(await repositoryAt(sandbox.root).git('status', '--porcelain', '--branch')).toBe(
    '## side\n M a.txt\n?? b.txt\n',
  )
})

test('a split index, and one with a sparse checkout, are read', async () => {
  const split = await makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } })
  await split.git('update-index', '--split-index')
  const sparse = await makeRepository({ files: { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' } })
  await sparse.git('sparse-checkout', 'set', 'in')

  await expectFaithful(split)
  const sandbox = await expectFaithful(sparse)

  expect(expectOk(await sandbox.changes(sandbox.baseline, await checkpoint(sandbox))).files).toEqual([])
})

test('shallow and partial clones work when nobody can fetch what they lack', async () => {
  const origin = await makeRepository({ files: { 'a.txt': 'a\n', 'deep/b.txt': 'b\n' } })
  await origin.write({ 'a.txt': 'second\n' })
  await origin.git('commit', '-qam', 'Second')
  await origin.git('config', 'uploadpack.allowFilter', 'true')
  for (const option of ['--depth=1', '--filter=blob:none']) {
    const clone = repositoryAt(join(await temporaryFolder(), 'clone'))
    await origin.git('clone', '-q', option, `file://${origin.root}`, clone.root)
    await clone.git('remote', 'set-url', 'origin', 'file:///nowhere')

    await expectFaithful(clone)
  }
})

test('edits that the index was told to overlook are captured', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } })
  await repository.git('update-index', '--assume-unchanged', 'a.txt')
  await repository.git('update-index', '--skip-worktree', 'b.txt')
  await repository.write({ 'a.txt': 'edited a\n', 'b.txt': 'edited b\n' })

  await expectFaithful(repository)
})

test('names of any bytes come through', async () => {
  const repository = await makeRepository({ files: {} })
  const names = [
    'new\nline',
    'tab\there',
    'quo"te',
    "apo'strophe",
    'back\\slash',
    '-dash',
    '*.glob',
    ':(magic)',
    'é',
    'e\u0301',
    '🙂',
    ' ',
  ]
  for (const name of names) await writeFile(join(repository.root, name), name)
  await writeFile(
    Buffer.concat([Buffer.from(`${repository.root}/`), Buffer.from([0xff, 0xfe, 0x41])]),
    'bytes',
  )
  await writeFile(join(repository.root, 'n'.repeat(255)), 'long')
  await repository.git('add', '-A')

  const sandbox = await expectFaithful(repository)

  await writeFile(Buffer.concat([Buffer.from(`${sandbox.root}/`), Buffer.from([0xff, 0x42])]), 'new')
  const changes = expectOk(await sandbox.changes(sandbox.baseline, await checkpoint(sandbox)))
  expect(changes.files.map(file => file.path)).toEqual(['"\\377B"'])
})

test('line endings, keywords and encodings stay as they are on disk', async () => {
  const repository = await makeRepository({
    files: {
      '.gitattributes':
        '*.crlf text eol=crlf\n*.id ident\n*.u16 text working-tree-encoding=UTF-16LE\n*.txt text\n',
      'a.crlf': 'one\ntwo\n',
      'b.id': '$Id$\n',
      'c.u16': Buffer.from('wide\n', 'utf16le'),
      'mixed.txt': 'one\r\ntwo\n',
    },
  })
  for (const name of ['a.crlf', 'b.id']) await rm(join(repository.root, name))
  await repository.git('checkout', '-q', '--', '.')
  expect(await repository.git('status', '--porcelain')).toBe('')

  const sandbox = await expectFaithful(repository)

  expect(await readFile(join(sandbox.root, 'a.crlf'), 'utf8')).toBe('one\r\ntwo\r\n')
})

test('a repository that converts every line ending is copied unconverted', async () => {
  const repository = await makeRepository({
    files: { 'a.txt': 'one\r\ntwo\r\n', 'b.txt': 'one\n' },
    commit: 'none',
  })
  await repository.git('config', 'core.autocrlf', 'true')
  await repository.git('add', '-A')
  await repository.git('commit', '-qm', 'Start')

  await expectFaithful(repository)
})

test('links are kept and never followed; one that leads back into the project is named', async () => {
  const repository = await makeRepository({
    files: { 'a.txt': 'a\n', inside: { link: 'a.txt' }, dangling: { link: 'nowhere' } },
  })
  await symlink('/etc', join(repository.root, 'outside'))
  await symlink(join(repository.root, 'a.txt'), join(repository.root, 'back'))

  const sandbox = await expectFaithful(repository)

  expect(sandbox.notices).toEqual([
    'Links that lead back into the project itself: back. Writing through them reaches your own files.',
  ])
})

test('executable bits come through, also where git was told to overlook them', async () => {
  const repository = await makeRepository({ files: { 'a.sh': 'a\n' } })
  await repository.git('config', 'core.fileMode', 'false')
  await chmod(join(repository.root, 'a.sh'), 0o755)

  await expectFaithful(repository)
})

test('repositories inside the project are left out, named, and not disturbed', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const inner = repositoryAt(join(repository.root, 'inner'))
  const empty = repositoryAt(join(repository.root, 'empty'))
  const submodule = await makeRepository({ files: { 'lib.txt': 'lib\n' } })
  for (const nested of [inner, empty]) {
    await mkdir(nested.root)
    await nested.git('init', '-q')
    await nested.write({ 'file.txt': 'file\n' })
  }
  await inner.git('add', '-A')
  await inner.git('commit', '-qm', 'Inner')
  await repository.git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    submodule.root,
    'sub',
  )
  const before = await snapshotFolder(repository.root, { except: [] })

  const sandbox = await openSandbox(repository)

  expect(sandbox.notices).toContain(
    'Repositories inside the project are left out: empty, inner, sub. Each can have a plan of its own.',
  )
  expect(Object.keys(await bytes(sandbox.root))).toEqual(['.gitmodules', 'a.txt', 'sub/'])
  expect(await snapshotFolder(repository.root, { except: [] })).toEqual(before)
  await rm(join(sandbox.root, 'sub'), { recursive: true })
  expect(expectOk(await sandbox.changes(sandbox.baseline, await checkpoint(sandbox))).files).toEqual([])
})

test.for(['git_worktree', 'filesystem_copy'] as const)(
  'the files of a submodule come along in %s where .worktreeinclude names it, and nothing of them is applied',
  async name => {
    const library = await makeRepository({ files: { 'lib.txt': 'lib\n', 'deep/more.txt': 'more\n' } })
    const repository = await makeRepository({ files: { 'a.txt': 'a\n', '.worktreeinclude': '/sub/\n' } })
    const add = ['submodule', '--quiet', 'add', library.root, 'sub']
    await repository.git('-c', 'protocol.file.allow=always', ...add)
    const before = await snapshotFolder(repository.root, { except: [] })
    const strategy = await strategyNamed(name)
    const sandbox = expectOk(await strategy.open({ planId, projectRoot: repository.root }, never))
    expect(sandbox.notices.filter(notice => notice.includes('sub'))).toEqual([
      expect.stringMatching(/^sub was brought along by/),
      'sub is a repository of its own, and is in the sandbox as plain files: what the plan changes there is in no checkpoint and is not applied.',
    ])
    expect(Object.keys(await bytes(join(sandbox.root, 'sub')))).toEqual(['deep/', 'deep/more.txt', 'lib.txt'])
    expect(expectOk(await sandbox.drift(sandbox.baseline, []))).toEqual([])
    await writeFile(join(sandbox.root, 'sub', 'lib.txt'), 'other\n')
    await writeFile(join(sandbox.root, 'sub', 'new.txt'), 'new\n')
    const changed = await checkpoint(sandbox)
    expect(expectOk(await sandbox.changes(sandbox.baseline, changed)).files).toEqual([])
    expectOk(await sandbox.restore(sandbox.baseline))
    expect(await readFile(join(sandbox.root, 'sub', 'lib.txt'), 'utf8')).toBe('other\n')
    expect(await snapshotFolder(repository.root, { except: [] })).toEqual(before)
  },
)

test('ignored files stay behind except dependencies and what .worktreeinclude names', async () => {
  const repository = await makeRepository({
    files: {
      '.gitignore': 'node_modules\ndist/\n.env*\n/tracked.log\n',
      '.worktreeinclude': '.env.local\nsrc/\n',
      'src/a.ts': 'a\n',
    },
  })
  await repository.write({
    'node_modules/dep/index.js': 'dep\n',
    'packages/one/node_modules/dep/index.js': 'dep\n',
    'dist/out.js': 'out\n',
    '.env': 'SECRET=1\n',
    '.env.local': 'PORT=1\n',
    'tracked.log': 'log\n',
  })
  await symlink('dep', join(repository.root, 'node_modules', 'alias'))
  await repository.git('add', '-f', 'tracked.log')

  const sandbox = await openSandbox(repository)

  const names = Object.keys(await bytes(sandbox.root)).filter(name => !name.endsWith('/'))
  expect(names).toEqual([
    '.env.local',
    '.gitignore',
    '.worktreeinclude',
    'node_modules/alias',
    'node_modules/dep/index.js',
    'packages/one/node_modules/dep/index.js',
    'src/a.ts',
    'tracked.log',
  ])
  expect(sandbox.notices).toEqual([
    expect.stringMatching(/^Ignored and not in the sandbox: \.env, dist\/\. /),
    expect.stringMatching(/^node_modules was brought along by (copy|reflink)\.$/),
    expect.stringMatching(/^packages\/one\/node_modules was brought along by (copy|reflink)\.$/),
    expect.stringMatching(/^\.env\.local was brought along by (copy|reflink)\.$/),
  ])
})

test('what was brought along is a copy that no checkpoint holds and no restore removes', async () => {
  const repository = await makeRepository({ files: { '.gitignore': 'node_modules\n' } })
  await repository.write({ 'node_modules/dep/index.js': 'dep\n' })
  const sandbox = await openSandbox(repository)

  await writeFile(join(sandbox.root, 'node_modules/dep/index.js'), 'changed\n')
  await rm(join(sandbox.root, '.gitignore'))
  const changes = expectOk(await sandbox.changes(sandbox.baseline, await checkpoint(sandbox)))
  expectOk(await sandbox.restore(sandbox.baseline))

  expect(changes.files.map(file => file.path)).toEqual(['.gitignore'])
  expect(await readFile(join(sandbox.root, 'node_modules/dep/index.js'), 'utf8')).toBe('changed\n')
  expect(await readFile(join(repository.root, 'node_modules/dep/index.js'), 'utf8')).toBe('dep\n')
})

test('a linked dependency folder is not brought along', async () => {
  const repository = await makeRepository({ files: { '.gitignore': 'node_modules\n' } })
  await symlink(await temporaryFolder(), join(repository.root, 'node_modules'))

  const sandbox = await openSandbox(repository)

  expect(Object.keys(await bytes(sandbox.root))).toEqual(['.gitignore'])
  expect(sandbox.notices).toContain('Links are not brought along: node_modules.')
})

test("the person's own ignore list counts", async () => {
  const home = await temporaryFolder()
  await mkdir(join(home, '.config', 'git'), { recursive: true })
  await writeFile(join(home, '.config', 'git', 'ignore'), '*.swp\n')
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  await repository.write({ 'a.swp': 'swap\n' })

  const sandbox = await openSandbox(repository, { PATH: process.env['PATH'] ?? '', HOME: home })

  expect(Object.keys(await bytes(sandbox.root))).toEqual(['a.txt'])
})

test('repositories named by SHA-256 work, and so do folders with difficult names', async () => {
  const sha256 = await makeRepository({ objectFormat: 'sha256' })
  const difficult = await makeRepository({ name: 'my "proj\nect" #1' })

  await expectFaithful(sha256)
  await expectFaithful(difficult)
})

test('a plan lives on when the project is pruned or its history rewritten', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  await repository.write({ 'b.txt': 'staged and then gone\n' })
  await repository.git('add', 'b.txt')
  const sandbox = await openSandbox(repository)
  await repository.git('rm', '-qf', 'a.txt', 'b.txt')
  await repository.git('commit', '-q', '--amend', '--allow-empty', '-m', 'Other')
  await repository.git('reflog', 'expire', '--expire=now', '--all')
  await repository.git('gc', '-q', '--prune=now')
  await rm(join(sandbox.root, 'a.txt'))
  await rm(join(sandbox.root, 'b.txt'))

  expectOk(await sandbox.restore(sandbox.baseline))

  expect(Object.keys(await bytes(sandbox.root))).toEqual(['a.txt', 'b.txt'])
})

test('a folder without git, a part of a repository and a bare repository are refused with what to do', async () => {
  const plain = await temporaryFolder()
  const repository = await makeRepository({ files: { 'sub/a.txt': 'a\n' } })
  const bare = join(await temporaryFolder(), 'bare.git')
  await repository.git('clone', '-q', '--bare', repository.root, bare)

  const [noGit, part, noTree] = [
    await tryToOpen(plain),
    await tryToOpen(join(repository.root, 'sub')),
    await tryToOpen(bare),
  ]

  expect(noGit).toMatchObject({
    ok: false,
    failure: { code: 'not_available', message: expect.stringContaining('filesystem_copy') },
  })
  expect(part).toMatchObject({
    ok: false,
    failure: { code: 'not_available', facts: { repositoryRoot: repository.root } },
  })
  expect(noTree).toMatchObject({ ok: false, failure: { code: 'not_available' } })
})

test('an older git, and none at all, are refused with the version that is needed', async () => {
  const repository = await makeRepository()
  const bin = await temporaryFolder()
  await writeFile(join(bin, 'git'), '#!/bin/sh\necho git version 2.34.1\n', { mode: 0o755 })

  const old = await tryToOpen(repository.root, { ...userEnvironment(), PATH: bin })
  const missing = await tryToOpen(repository.root, { ...userEnvironment(), PATH: '/nonexistent' })

  expect(old).toMatchObject({
    ok: false,
    failure: { code: 'not_available', facts: { needed: '2.38', found: 'git version 2.34.1' } },
  })
  expect(missing).toMatchObject({ ok: false, failure: { code: 'not_available' } })
})

test('what a crash left half-made is built anew', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const strategy = await gitWorktreeStrategy()
  const halfMade = join(strategy.stateDir, 'plans', planId)
  await mkdir(join(halfMade, 'root', 'project'), { recursive: true })
  await writeFile(join(halfMade, 'root', 'project', 'left-over.txt'), 'left over\n')

  const sandbox = expectOk(await strategy.open({ planId, projectRoot: repository.root }, never))

  expect(await bytes(sandbox.root)).toEqual(await bytes(repository.root))
})

test('two that open a new plan at once get one sandbox', async () => {
  const repository = await makeRepository()
  const strategy = await gitWorktreeStrategy()
  const spec = { planId, projectRoot: repository.root }

  const [first, second] = await Promise.all([strategy.open(spec, never), strategy.open(spec, never)])

  expect(expectOk(second)).toMatchObject({ root: expectOk(first).root, baseline: expectOk(first).baseline })
})

test('a sandbox that another living process is making is left to it', async () => {
  const repository = await makeRepository()
  const strategy = await gitWorktreeStrategy()
  const folder = join(strategy.stateDir, 'plans', planId)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'owner.json'), JSON.stringify(identify(process.ppid)))

  const refused = await strategy.open({ planId, projectRoot: repository.root }, never)

  expect(refused).toMatchObject({ ok: false, failure: { code: 'transient' } })
})

test('a stopped creation leaves nothing', async () => {
  const repository = await makeRepository()
  const strategy = await gitWorktreeStrategy()
  const stopped = AbortSignal.abort()

  const refused = await strategy.open({ planId, projectRoot: repository.root }, stopped)

  expect(refused).toMatchObject({ ok: false, failure: { code: 'interrupted' } })
  expect(await snapshotFolder(strategy.stateDir)).toEqual({ 'plans/': 'folder' })
})

test('pipes in the project are passed over and named', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  await promisify(execFile)('mkfifo', [join(repository.root, 'pipe')])

  const sandbox = await openSandbox(repository)

  expect(Object.keys(await bytes(sandbox.root))).toEqual(['a.txt'])
  expect(sandbox.notices).toEqual(['Pipes, sockets and devices are left out: pipe.'])
})

/** Opens a sandbox whose contents equal the project's, while nothing in the project changed, git's own files included. */
async function expectFaithful(repository: TestRepository) {
  const index = join(await temporaryFolder(), 'index')
  await copyFile(join(repository.root, '.git', 'index'), index).catch(() => {})
  const before = await snapshotFolder(repository.root, { except: [] })
  const sandbox = await openSandbox(repository)
  expect(await bytes(sandbox.root)).toEqual(await bytes(repository.root))
  expect(await snapshotFolder(repository.root, { except: [] })).toEqual(before)
  return sandbox
}
