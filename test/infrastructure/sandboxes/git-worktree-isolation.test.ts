import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
  applyAll,
  checkpoint,
  gitWorktreeStrategy,
  never,
  openSandbox,
  planId,
} from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('hooks, filters, monitors and signing of the project never run', async () => {
  const repository = await makeRepository({
    files: { '.gitattributes': '*.txt filter=spy\n', 'a.txt': 'a\n' },
  })
  const marker = join(await temporaryFolder(), 'ran')
  const spy = join(await temporaryFolder(), 'spy')
  await writeFile(spy, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 })
  await plantHooks(repository, spy)
  for (const [key, value] of [
    ['core.fsmonitor', spy],
    ['filter.spy.clean', spy],
    ['filter.spy.smudge', spy],
    ['filter.spy.required', 'true'],
    ['commit.gpgSign', 'true'],
    ['gpg.program', spy],
    ['diff.external', spy],
  ] as const) {
    await repository.git('config', key, value)
  }

  await workAndApply(repository)

  await expect(stat(marker)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a filter that is required and missing changes nothing', async () => {
  const repository = await makeRepository({
    files: { '.gitattributes': '*.bin filter=lfs\n', 'a.bin': 'pointer\n' },
  })
  await repository.git('config', 'filter.lfs.required', 'true')
  await repository.git('config', 'filter.lfs.process', 'missing-program')

  const sandbox = await openSandbox(repository)

  expect(await bytes(sandbox.root)).toEqual(await bytes(repository.root))
})

test('git variables of a surrounding hook lead nowhere', async () => {
  const [outer, repository] = [await makeRepository(), await makeRepository({ files: { 'a.txt': 'a\n' } })]
  const before = await snapshotFolder(outer.root, { except: [] })
  const gitDir = join(outer.root, '.git')
  const environment = {
    ...userEnvironment(),
    GIT_DIR: gitDir,
    GIT_WORK_TREE: outer.root,
    GIT_INDEX_FILE: join(gitDir, 'index'),
    GIT_OBJECT_DIRECTORY: join(gitDir, 'objects'),
  }

  await workAndApply(repository, environment)

  expect(await snapshotFolder(outer.root, { except: [] })).toEqual(before)
})

test('the work of a plan leaves no object, ref, worktree or setting in the repository', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const before = await snapshotFolder(join(repository.root, '.git'), { except: [] })

  await workAndApply(repository)

  expect(await snapshotFolder(join(repository.root, '.git'), { except: [] })).toEqual(before)
})

test('what an actor does with git in the sandbox reaches neither the repository nor the program', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const sandbox = await openSandbox(repository)
  const marker = join(await temporaryFolder(), 'ran')
  const spy = join(await temporaryFolder(), 'spy')
  await writeFile(spy, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
  const before = await snapshotFolder(join(repository.root, '.git'), { except: ['objects'] })
  const actor = repositoryAt(sandbox.root)
  await actor.write({ 'b.txt': 'b\n' })
  await actor.git('add', '-A')
  await actor.git('commit', '-qm', 'By the actor')
  await actor.git('branch', '-m', 'main', 'renamed')
  await actor.git('tag', 'planted')
  await actor.git('config', 'core.fsmonitor', spy)
  await actor.git('config', 'core.worktree', repository.root)
  await plantHooks(actor, spy)

  const changes = expectOk(await sandbox.changes(sandbox.baseline, await checkpoint(sandbox)))
  await rm(join(sandbox.root, '.git'), { recursive: true })
  await writeFile(join(sandbox.root, '.git'), `gitdir: ${join(repository.root, '.git')}\n`)
  expectOk(await sandbox.restore(sandbox.baseline))

  expect(changes.files.map(file => file.path)).toEqual(['b.txt'])
  expect(await snapshotFolder(join(repository.root, '.git'), { except: ['objects'] })).toEqual(before)
  expect(await bytes(repository.root)).toEqual(await bytes(sandbox.root).then(withoutGit))
  await expect(stat(marker)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('attributes that an actor writes hide no change and no conflict', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const sandbox = await openSandbox(repository)
  await repositoryAt(sandbox.root).write({ '.gitattributes': '* -diff merge=union\n', 'a.txt': 'plan\n' })
  await repository.write({ 'a.txt': 'user\n' })

  const state = await checkpoint(sandbox)

  const changes = expectOk(await sandbox.changes(sandbox.baseline, state))
  expect(changes.files[1]).toMatchObject({ path: 'a.txt', binary: false, additions: 1, deletions: 1 })
  expect(await applyAll(sandbox)).toMatchObject({ outcome: 'constrained' })
})

test('ignored files in the sandbox survive a restore with their times', async () => {
  const repository = await makeRepository({ files: { '.gitignore': 'out/\n', 'a.txt': 'a\n' } })
  const sandbox = await openSandbox(repository)
  await repositoryAt(sandbox.root).write({ 'out/built.js': 'built\n', 'a.txt': 'changed\n' })
  const before = await snapshotFolder(join(sandbox.root, 'out'))

  const report = expectOk(await sandbox.restore(sandbox.baseline))

  expect(report).toEqual({ restored: ['a.txt'], removed: [] })
  expect(await snapshotFolder(join(sandbox.root, 'out'))).toEqual(before)
})

test('an ignored file that a tool wrote is no part of a checkpoint, however it is named', async () => {
  const repository = await makeRepository({ files: { '.gitignore': '*.log\n' } })
  const sandbox = await openSandbox(repository)
  await repositoryAt(sandbox.root).write({ 'a.log': 'log\n', 'b.txt': 'b\n' })
  const state = expectOk(await sandbox.checkpoint('work', ['a.log', 'b.txt'] as never))

  expect(expectOk(await sandbox.changes(sandbox.baseline, state)).files.map(file => file.path)).toEqual([
    'b.txt',
  ])
})

test('named paths may have become folders, files or nothing', async () => {
  const repository = await makeRepository({ files: { 'a/one.txt': '1\n', b: 'b\n', 'c/two.txt': '2\n' } })
  const sandbox = await openSandbox(repository)
  for (const name of ['a', 'b', 'c']) await rm(join(sandbox.root, name), { recursive: true })
  await repositoryAt(sandbox.root).write({ a: 'file now\n', 'b/in.txt': 'folder now\n', c: { link: 'a' } })
  const written = ['a', 'b', 'b/in.txt', 'a/one.txt', 'c', 'c/two.txt', 'never-there']

  const named = expectOk(await sandbox.checkpoint('named', written as never))

  expect(expectOk(await sandbox.changes(named, await checkpoint(sandbox))).files).toEqual([])
})

test('a file that is tracked although ignored comes back like any other', async () => {
  const repository = await makeRepository({ files: { '.gitignore': '*.log\n' } })
  await repository.write({ 'kept.log': 'log\n' })
  await repository.git('add', '-f', 'kept.log')
  const sandbox = await openSandbox(repository)
  await rm(join(sandbox.root, 'kept.log'))
  await checkpoint(sandbox)

  const report = expectOk(await sandbox.restore(sandbox.baseline))

  expect(report).toEqual({ restored: ['kept.log'], removed: [] })
})

test('restoring moves aside what stands in the way, ignored or empty', async () => {
  const repository = await makeRepository({
    files: { '.gitignore': '*.log\n', a: 'a\n', 'b/c.txt': 'c\n', 'd/e.txt': 'e\n' },
  })
  const sandbox = await openSandbox(repository)
  for (const name of ['a', 'b', 'd']) await rm(join(sandbox.root, name), { recursive: true })
  await mkdir(join(sandbox.root, 'a', 'empty'), { recursive: true })
  await repositoryAt(sandbox.root).write({ 'a/x.log': 'log\n', 'd/e.txt/f.log': 'log\n', b: { link: 'd' } })

  expectOk(await sandbox.restore(sandbox.baseline))

  expect(await bytes(sandbox.root)).toEqual(await bytes(repository.root))
})

test('a full disk fails the checkpoint, keeps the earlier ones and sweeps what was half written', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const full = join(await temporaryFolder(), 'full')
  const strategy = await gitWorktreeStrategy({ ...userEnvironment(), PATH: await pathWithFullDisk(full) })
  const sandbox = expectOk(await strategy.open({ planId, projectRoot: repository.root }, never))
  await repositoryAt(sandbox.root).write({ 'a.txt': 'first\n' })
  const first = await checkpoint(sandbox)
  // So many that git records them, which is what the disk fails.
  const many = Array.from({ length: 70 }, (_, index) => [`${index}.txt`, `${index}\n`])
  await repositoryAt(sandbox.root).write({ 'a.txt': 'second\n', ...Object.fromEntries(many) })
  await writeFile(full, '')

  const failed = await sandbox.checkpoint('second', 'unknown')
  await rm(full)

  expect(failed).toMatchObject({ ok: false, failure: { code: 'disk_full' } })
  const objects = join(strategy.stateDir, 'plans', planId, 'git', 'objects')
  const left = (await readdir(objects, { recursive: true })).filter(name => name.includes('tmp_'))
  expect(left).toEqual([])
  expectOk(await sandbox.restore(first))
  expect(await readFile(join(sandbox.root, 'a.txt'), 'utf8')).toBe('first\n')
})

async function workAndApply(repository: TestRepository, environment = userEnvironment()): Promise<void> {
  const sandbox = await openSandbox(repository, environment)
  await repositoryAt(sandbox.root).write({ 'a.txt': 'changed\n', 'b.txt': 'new\n' })
  const state = await checkpoint(sandbox)
  expectOk(await sandbox.restore(sandbox.baseline))
  expectOk(await sandbox.restore(state))
  expectOk(await sandbox.patch(sandbox.baseline, state))
  expect(await applyAll(sandbox)).toMatchObject({ outcome: 'applied', written: ['a.txt', 'b.txt'] })
}

async function plantHooks(repository: TestRepository, program: string): Promise<void> {
  const hooks = join(repository.root, '.git', 'hooks')
  await mkdir(hooks, { recursive: true })
  const names = [
    'pre-commit',
    'post-commit',
    'post-checkout',
    'post-index-change',
    'reference-transaction',
    'post-merge',
  ]
  for (const name of names) {
    await writeFile(join(hooks, name), `#!/bin/sh\nexec ${program} </dev/null\n`)
    await chmod(join(hooks, name), 0o755)
  }
}

/** A git that, while the file exists, behaves as on a full disk: leaves part of an object and says why. */
async function pathWithFullDisk(full: string): Promise<string> {
  const bin = await temporaryFolder()
  const script = `#!/bin/sh
if [ -e ${full} ]; then case "$*" in *" add "*)
  mkdir -p "$GIT_DIR/objects/ab"; echo half > "$GIT_DIR/objects/ab/tmp_obj_x"
  echo "error: unable to write loose object file: No space left on device" >&2; exit 128;;
esac; fi
PATH=\${PATH#*:} exec git "$@"
`
  await writeFile(join(bin, 'git'), script, { mode: 0o755 })
  return `${bin}:${process.env['PATH']}`
}

function withoutGit(snapshot: Record<string, string>): Record<string, string> {
  const { ['.git']: _, ...rest } = snapshot
  return rest
}
