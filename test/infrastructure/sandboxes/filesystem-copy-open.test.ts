import { execFile } from 'node:child_process'
import { chmod, chown, lstat, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import SQLite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { checkSpace } from '../../../src/infrastructure/sandboxes/copy/space.ts'
import { bytes } from '../../support/contract-files.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { makePlainFolder, makeRepository, repositoryAt, writeFiles } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, checkpoint, never, planId, strategyNamed } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const run = promisify(execFile)

test('names of any bytes, permissions, times, links and empty folders are as they were', async () => {
  const root = await makePlainFolder({
    'a.txt': 'a\n',
    'b.sh': { executable: 'b\n' },
    here: { link: 'a.txt' },
  })
  await symlink('nowhere', join(root, 'dangling'))
  await mkdir(join(root, 'empty/inner'), { recursive: true })
  await writeFile(join(root, 'secret.key'), 'key', { mode: 0o600 })
  await writeFile(join(root, 'read-only.txt'), 'fixed', { mode: 0o444 })
  for (const name of ['new\nline', '"quoted"', '-dash', ':(magic)', '*', 'é', 'n'.repeat(255)])
    await writeFile(join(root, name), name)
  await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe, 0x0a])]), 'bytes')
  await utimes(join(root, 'a.txt'), 1_000_000_000, 1_000_000_000)
  const before = await snapshotFolder(root)

  const sandbox = await openCopy(root)

  expect(await bytes(sandbox.root)).toEqual(await bytes(root))
  expect((await lstat(join(sandbox.root, 'a.txt'))).mtimeMs).toBe(1_000_000_000_000)
  expect(await snapshotFolder(root)).toEqual(before)
  expect(sandbox.notices).toEqual([])
  expect(await changedFiles(sandbox)).toEqual([])
})

test('a copy lends nobody the rights of its owner', async () => {
  const root = await makePlainFolder({ 'tool.sh': { executable: 'tool\n' } })
  await chmod(join(root, 'tool.sh'), 0o4755)

  const sandbox = await openCopy(root)

  expect((await lstat(join(sandbox.root, 'tool.sh'))).mode & 0o7777).toBe(0o755)
})

test('a folder that nobody may write is copied so that the plan can', async () => {
  const root = await makePlainFolder({ 'fixed/a.txt': 'a\n' })
  await chmod(join(root, 'fixed'), 0o555)
  onTestFinished(() => chmod(join(root, 'fixed'), 0o755))

  const sandbox = await openCopy(root)

  expect((await lstat(join(sandbox.root, 'fixed'))).mode & 0o777).toBe(0o755)
})

test('pipes and sockets are left out and named', async () => {
  const root = await makePlainFolder({ 'a.txt': 'a\n', 'run/b.txt': 'b\n' })
  await run('mkfifo', [join(root, 'pipe')])
  const server = createServer().listen(join(root, 'run/socket'))
  onTestFinished(() => void server.close())

  const sandbox = await openCopy(root)

  expect(sandbox.notices).toEqual(['Pipes, sockets and devices are left out: pipe, run/socket.'])
  expect(Object.keys(await bytes(sandbox.root))).toEqual(['a.txt', 'run/', 'run/b.txt'])
})

test('nested repositories of every form are left out, named, and never followed or written', async () => {
  const outside = await makeRepository({ files: { 'lib.txt': 'lib\n' } })
  const root = await makePlainFolder({
    'a.txt': 'a\n',
    'inner/file.txt': 'file\n',
    'packages/module/file.txt': 'file\n',
    'packages/module/.git': 'gitdir: ../../.git/modules/module\n',
    'empty/.git/HEAD': 'ref: refs/heads/main\n',
  })
  await repositoryAt(join(root, 'inner')).git('init', '-q')
  await mkdir(join(root, 'linked'))
  await symlink(join(outside.root, '.git'), join(root, 'linked/.git'))
  await symlink(outside.root, join(root, 'link-to-repository'))
  const before = await snapshotFolder(root, { except: [] })
  const outsideBefore = await snapshotFolder(outside.root, { except: [] })

  const sandbox = await openCopy(root)
  await writeFiles(sandbox.root, { 'a.txt': 'changed\n' })
  expectOk(await sandbox.restore(sandbox.baseline))
  await writeFiles(sandbox.root, { 'b.txt': 'new\n' })
  expectOk(await sandbox.apply(all(sandbox, await checkpoint(sandbox)), never))

  expect(sandbox.notices).toEqual([
    'Repositories inside the project are left out: empty, inner, linked, packages/module. Each can have a plan of its own.',
  ])
  expect(Object.keys(await bytes(sandbox.root))).toEqual([
    'a.txt',
    'b.txt',
    'link-to-repository',
    'packages/',
  ])
  await rm(join(root, 'b.txt'))
  expect(await snapshotFolder(root, { except: [] })).toEqual(before)
  expect(await snapshotFolder(outside.root, { except: [] })).toEqual(outsideBefore)
})

test('what cannot be read is left out, named, and stays as it is when the rest is applied', async () => {
  const root = await makePlainFolder({ 'a.txt': 'a\n', 'secret.txt': 'secret\n', 'locked/b.txt': 'b\n' })
  const strategy = await strategyNamed('filesystem_copy')
  await chmod(join(root, 'secret.txt'), 0o000)
  await chmod(join(root, 'locked'), 0o000)

  const sandbox = await asOrdinaryUser([dirname(root), dirname(strategy.stateDir)], async () => {
    const opened = expectOk(await strategy.open({ planId, projectRoot: root }, never))
    await writeFiles(opened.root, { 'a.txt': 'changed\n' })
    expectOk(await opened.apply(all(opened, await checkpoint(opened)), never))
    return opened
  })

  await chmod(join(root, 'locked'), 0o755)
  expect(sandbox.notices).toEqual([
    'Could not be read and are left out: locked, secret.txt. Apply never touches them.',
  ])
  expect(Object.keys(await bytes(sandbox.root))).toEqual(['a.txt', 'locked/'])
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('changed\n')
  expect((await lstat(join(root, 'secret.txt'))).mode & 0o777).toBe(0o000)
  expect(await bytes(join(root, 'locked'))).toHaveProperty('b.txt')
})

test('dependency folders are copies that no checkpoint holds; ordinary folders of such a name are not', async () => {
  const root = await makePlainFolder({
    'package.json': '{}\n',
    'node_modules/dep/index.js': 'dep\n',
    'vendor/mine.txt': 'mine\n',
    'target/mine.txt': 'mine\n',
    'Cargo.toml': '[package]\n',
  })

  const sandbox = await openCopy(root)
  await writeFiles(sandbox.root, {
    'node_modules/dep/index.js': 'changed\n',
    'vendor/mine.txt': 'changed\n',
    'target/mine.txt': 'changed\n',
  })

  expect(sandbox.notices).toEqual([
    expect.stringMatching(/^node_modules was brought along by (copy|reflink)\.$/),
    expect.stringMatching(/^target was brought along by (copy|reflink)\.$/),
  ])
  expect(await changedFiles(sandbox)).toEqual(['vendor/mine.txt'])
  expect(await readFile(join(root, 'node_modules/dep/index.js'), 'utf8')).toBe('dep\n')
})

test('a .gitignore counts without a repository too', async () => {
  const root = await makePlainFolder({ '.gitignore': 'dist/\n', 'dist/out.js': 'out\n', 'a.txt': 'a\n' })

  const sandbox = await openCopy(root)

  expect(Object.keys(await bytes(sandbox.root))).toEqual(['.gitignore', 'a.txt'])
  expect(sandbox.notices).toEqual([expect.stringContaining('Ignored and not in the sandbox: dist/')])
})

test('a database in use is copied whole, with what is only in its log; the original keeps its bytes', async () => {
  const root = await makePlainFolder({})
  const database = new SQLite(join(root, 'shop.db'))
  onTestFinished(() => void database.close())
  database.pragma('journal_mode = WAL')
  database.exec('create table orders (id integer primary key, item text)')
  const insert = database.prepare('insert into orders (item) values (?)')
  for (let count = 0; count < 500; count++) insert.run('x'.repeat(100))
  const before = [await readFile(join(root, 'shop.db')), await readFile(join(root, 'shop.db-wal'))]

  const sandbox = await openCopy(root)

  expect(sandbox.notices).toEqual(['Databases in use, copied with what is in their log: shop.db.'])
  expect(Object.keys(await bytes(sandbox.root))).toEqual(['shop.db'])
  const copy = new SQLite(join(sandbox.root, 'shop.db'), { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(copy.prepare('select count(*) from orders').pluck().get()).toBe(500)
  copy.close()
  expect([await readFile(join(root, 'shop.db')), await readFile(join(root, 'shop.db-wal'))]).toEqual(before)
})

test('a database that nobody uses is copied byte for byte', async () => {
  const root = await makePlainFolder({})
  const database = new SQLite(join(root, 'shop.db'))
  database.exec('create table orders (id integer primary key)')
  database.close()

  const sandbox = await openCopy(root)

  expect(await readFile(join(sandbox.root, 'shop.db'))).toEqual(await readFile(join(root, 'shop.db')))
  expect(sandbox.notices).toEqual([])
})

test('files that stand for content elsewhere are named', async () => {
  const root = await makePlainFolder({
    'model.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n',
  })

  const sandbox = await openCopy(root)

  expect(sandbox.notices).toEqual([expect.stringContaining('Git LFS')])
  expect(sandbox.notices[0]).toContain('model.bin')
})

test('in a repository the copy has the same status, and tracked files although they are ignored', async () => {
  const repository = await makeRepository({ files: { '.gitignore': '*.log\n', 'a.txt': 'a\n' } })
  await repository.write({ 'tracked.log': 'log\n', 'ignored.log': 'log\n', 'new.txt': 'new\n' })
  await repository.git('add', '-f', 'tracked.log')
  await repository.write({ 'a.txt': 'unstaged\n' })
  const before = await snapshotFolder(repository.root, { except: [] })

  const sandbox = await openCopy(repository.root)

  expect(await snapshotFolder(repository.root, { except: [] })).toEqual(before)
  expect(Object.keys(await bytes(sandbox.root))).toEqual(['.gitignore', 'a.txt', 'new.txt', 'tracked.log'])
  expect(await repositoryAt(sandbox.root).git('status', '--porcelain')).toBe(
    await repository.git('status', '--porcelain'),
  )
})

test('repositories that git cannot or will not read are copied without their history', async () => {
  const foreign = await makeRepository({ files: { 'a.txt': 'a\n' } })
  await chown(foreign.root, 12345, 12345)
  const damaged = await makeRepository({ files: { 'a.txt': 'a\n' } })
  await writeFile(join(damaged.root, '.git/index'), 'no index')
  const broken = await makePlainFolder({ 'a.txt': 'a\n', '.git': 'gitdir: /nowhere\n' })
  const elsewhere = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const otherTree = await temporaryFolder()
  await elsewhere.git('config', 'core.worktree', otherTree)

  for (const root of [foreign.root, damaged.root, broken, elsewhere.root]) {
    const sandbox = await openCopy(root)
    await writeFiles(sandbox.root, { 'a.txt': 'changed\n' })
    expectOk(await sandbox.apply(all(sandbox, await checkpoint(sandbox)), never))
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('changed\n')
  }
  expect(await bytes(otherTree)).toEqual({})
})

test('shallow, sparse and partial clones are copied as they are on disk', async () => {
  const origin = await makeRepository({ files: { 'a.txt': 'a\n', 'deep/b.txt': 'b\n' } })
  await origin.write({ 'a.txt': 'second\n' })
  await origin.git('commit', '-qam', 'Second')
  await origin.git('config', 'uploadpack.allowFilter', 'true')
  const parent = await temporaryFolder()
  const clones: [name: string, ...args: string[]][] = [
    ['shallow', '--depth=1'],
    ['sparse', '--sparse'],
    ['partial', '--filter=blob:none'],
  ]
  for (const [name, ...args] of clones) {
    await origin.git('clone', '-q', ...args, `file://${origin.root}`, join(parent, name))
    await repositoryAt(join(parent, name)).git('remote', 'set-url', 'origin', 'file:///nowhere')

    const sandbox = await openCopy(join(parent, name))

    expect(await bytes(sandbox.root)).toEqual(await bytes(join(parent, name)))
    expect(await changedFiles(sandbox)).toEqual([])
  }
})

test('a part of a repository, and a repository named by SHA-256, work', async () => {
  const repository = await makeRepository({ files: { 'part/a.txt': 'a\n' }, objectFormat: 'sha256' })

  const whole = await openCopy(repository.root)
  const part = await openCopy(join(repository.root, 'part'))

  expect(await changedFiles(whole)).toEqual([])
  expect(Object.keys(await bytes(part.root))).toEqual(['a.txt'])
})

test('a folder that holds the data of this program is refused, and nothing is left there', async () => {
  const strategy = await strategyNamed('filesystem_copy')
  const projectRoot = join(strategy.stateDir, '..')
  await mkdir(strategy.stateDir)

  const refused = await strategy.open({ planId, projectRoot }, never)

  expect(refused).toMatchObject({
    ok: false,
    failure: { code: 'not_available', message: expect.stringContaining('--data-dir') },
  })
  expect(await strategy.unavailable({ planId, projectRoot }, never)).toMatchObject({ nextBest: null })
  expect(await bytes(join(strategy.stateDir, 'plans'))).toEqual({})
})

test('a copy that the disk cannot hold is refused with how much is missing', async () => {
  const refused = await checkSpace(await temporaryFolder(), 10n ** 18n)

  expect(refused).toMatchObject({
    ok: false,
    failure: {
      code: 'disk_full',
      message: expect.stringMatching(/needs 1100000\.0 TB, and .+ has .+ free\./),
    },
  })
})

test('a stopped creation leaves nothing', async () => {
  const root = await makePlainFolder({ 'a.txt': 'a\n' })
  const strategy = await strategyNamed('filesystem_copy')

  const refused = await strategy.open({ planId, projectRoot: root }, AbortSignal.abort())

  expect(refused).toMatchObject({ ok: false, failure: { code: 'interrupted' } })
  expect(await snapshotFolder(strategy.stateDir)).toEqual({ 'plans/': 'folder' })
})

test('a repository whose base moves meanwhile is applied to, and Apply says what moved', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const sandbox = await openCopy(repository.root)
  await writeFile(join(sandbox.root, 'b.txt'), 'plan\n')
  await repository.git('checkout', '-q', '-b', 'other')
  await repository.write({ 'a.txt': 'user\n' })
  await repository.git('commit', '-qam', 'Other')

  const report = expectOk(await sandbox.apply(all(sandbox, await checkpoint(sandbox)), never))

  expect(report).toMatchObject({
    notices: [
      'In your repository other is checked out, and main was when the plan began; the base moved by 1 commit. The plan was merged around that.',
    ],
  })
})

async function openCopy(projectRoot: string) {
  const strategy = await strategyNamed('filesystem_copy')
  return expectOk(await strategy.open({ planId, projectRoot }, never))
}

async function changedFiles(sandbox: Awaited<ReturnType<typeof openCopy>>): Promise<string[]> {
  const changes = expectOk(await sandbox.changes(sandbox.baseline, await checkpoint(sandbox)))
  return changes.files.map(file => file.path)
}

/** Nothing is unreadable to root; these folders are handed over to somebody who is not. */
async function asOrdinaryUser<Value>(folders: string[], work: () => Promise<Value>): Promise<Value> {
  if (process.getuid?.() !== 0) return work()
  await run('chown', ['-R', String(NOBODY), ...folders])
  process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

const NOBODY = 65534
