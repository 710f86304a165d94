import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseRelPath } from '../../../src/domain/sandbox/rel-path.ts'
import { bytes } from '../../support/contract-files.ts'
import { makeRepository, writeFiles } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { checkpoint, openSandbox } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a file that was brought along outlives its recording after an actor stopped ignoring it', async () => {
  const repository = await makeRepository({
    files: { '.gitignore': '.env\n*.log\n', '.worktreeinclude': '.env\n' },
  })
  await repository.write({ '.env': 'SECRET=1\n' })
  const sandbox = await openSandbox(repository)
  await writeFiles(sandbox.root, { '.gitignore': '!.env\n', 'deep/x.log': 'log\n', 'new.txt': 'new\n' })
  const first = await checkpoint(sandbox)
  await writeFiles(sandbox.root, { '.env': 'SECRET=2\n' })
  const second = await checkpoint(sandbox)
  const about = { scope: { kind: 'all' }, since: '2026-01-01T00:00:00Z' } as const

  const preview = expectOk(await sandbox.previewRestore(sandbox.baseline, about))
  const report = expectOk(await sandbox.restore(sandbox.baseline))

  expect(preview.restored).toEqual([
    { path: '.env', how: 'rewritten' },
    { path: '.gitignore', how: 'rewritten' },
    { path: 'new.txt', how: 'removed' },
  ])
  expect(report).toEqual({ restored: ['.env', '.gitignore'], removed: ['new.txt'] })
  expect(await readFile(join(sandbox.root, '.env'), 'utf8')).toBe('SECRET=1\n')
  expect(await readFile(join(sandbox.root, 'deep/x.log'), 'utf8')).toBe('log\n')
  expect(await checkpoint(sandbox)).not.toBe(first)
  expect(expectOk(await sandbox.changes(sandbox.baseline, await checkpoint(sandbox))).files).toEqual([])
  expectOk(await sandbox.restore(second))
  expect(await readFile(join(sandbox.root, '.env'), 'utf8')).toBe('SECRET=2\n')
})

test('a new file that is ignored later stays part of what is recorded', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const sandbox = await openSandbox(repository)
  await checkpoint(sandbox)
  await writeFiles(sandbox.root, { 'new.txt': 'new\n' })
  expectOk(await sandbox.checkpoint('named', [path('new.txt')]))
  await writeFiles(sandbox.root, { '.gitignore': '*.txt\n' })
  const named = expectOk(await sandbox.checkpoint('named', [path('.gitignore')]))

  const recorded = expectOk(await sandbox.changes(sandbox.baseline, named)).files
  expect(recorded.map(file => file.path)).toEqual(['.gitignore', 'new.txt'])
  expect(await checkpoint(sandbox)).toBe(named)
})

test('a folder where a recorded file was gives way inside the sandbox only', async () => {
  const repository = await makeRepository({ files: { thing: 'file\n' } })
  const sandbox = await openSandbox(repository)
  await rm(join(sandbox.root, 'thing'))
  await writeFiles(sandbox.root, { 'thing/inside.txt': 'folder\n' })

  expect(expectOk(await sandbox.restore(sandbox.baseline))).toEqual({
    restored: ['thing'],
    removed: ['thing/inside.txt'],
  })
  expect(await bytes(sandbox.root)).toEqual(await bytes(repository.root))
})

test('a folder that became a link, and a file that became a folder, come back as either', async () => {
  const repository = await makeRepository({ files: { 'a/x.txt': 'x\n', b: 'b\n' } })
  const sandbox = await openSandbox(repository)
  for (const name of ['a', 'b']) await rm(join(sandbox.root, name), { recursive: true })
  await writeFiles(sandbox.root, { a: { link: 'b' }, 'b/y.txt': 'y\n' })
  const swapped = await checkpoint(sandbox)
  const there = await bytes(sandbox.root)

  expectOk(await sandbox.restore(sandbox.baseline))
  expect(await bytes(sandbox.root)).toEqual(await bytes(repository.root))
  expectOk(await sandbox.restore(swapped))
  expect(await bytes(sandbox.root)).toEqual(there)
})

test('empty folders and permissions that git does not know are in the sandbox, and come back', async () => {
  const repository = await makeRepository({
    files: {
      '.gitignore': 'out/\n',
      'key.pem': 'key\n',
      'tool.sh': { executable: 'tool\n' },
      'a/b.txt': 'b\n',
    },
  })
  await chmod(join(repository.root, 'key.pem'), 0o600)
  await chmod(join(repository.root, 'tool.sh'), 0o4700)
  for (const name of ['empty/deep/er', 'a/none', 'out/ignored'])
    await mkdir(join(repository.root, name), { recursive: true })
  const sandbox = await openSandbox(repository)
  const there = await bytes(sandbox.root)
  expect(there).toEqual({
    '.gitignore': expect.stringMatching(/^file 644 /),
    'a/': 'folder',
    'a/b.txt': expect.stringMatching(/^file 644 /),
    'a/none/': 'folder',
    'empty/': 'folder',
    'empty/deep/': 'folder',
    'empty/deep/er/': 'folder',
    'key.pem': expect.stringMatching(/^file 600 /),
    'tool.sh': expect.stringMatching(/^file 700 /),
  })
  for (const name of ['empty', 'a', 'key.pem', 'tool.sh'])
    await rm(join(sandbox.root, name), { recursive: true })
  const outside = await temporaryFolder()
  await writeFiles(sandbox.root, { empty: { link: outside } })
  const linked = await checkpoint(sandbox)

  expectOk(await sandbox.restore(sandbox.baseline))
  expect(await bytes(sandbox.root)).toEqual(there)
  expect(await checkpoint(sandbox)).not.toBe(linked)
  expectOk(await sandbox.restore(linked))
  expect(await readdir(outside)).toEqual([])
})

test('a write of the same size within one tick of the clock is seen', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'aaaa\n' } })
  const sandbox = await openSandbox(repository)
  const file = join(sandbox.root, 'a.txt')
  const seen: string[] = []
  for (const text of ['bbbb\n', 'cccc\n', 'dddd\n', 'eeee\n']) {
    await writeFile(file, text)
    seen.push(await checkpoint(sandbox))
  }

  expect(new Set(seen).size).toBe(4)
})

function path(text: string) {
  return expectOk(parseRelPath(text))
}

test('a restore that puts a folder where a link was leaves the permissions behind the link alone', async () => {
  const repository = await makeRepository({ files: { 'b/x/deep.txt': 'deep\n' } })
  const sandbox = await openSandbox(repository)
  const outside = join(await temporaryFolder(), 'outside')
  await mkdir(join(outside, 'x'), { recursive: true })
  await chmod(join(outside, 'x'), 0o500)
  const before = await stat(join(outside, 'x'), { bigint: true })
  await rm(join(sandbox.root, 'b'), { recursive: true })
  await symlink(outside, join(sandbox.root, 'b'))
  await checkpoint(sandbox)

  expectOk(await sandbox.restore(sandbox.baseline))

  expect((await stat(join(outside, 'x'), { bigint: true })).ctimeNs).toBe(before.ctimeNs)
  expect(await readFile(join(sandbox.root, 'b/x/deep.txt'), 'utf8')).toBe('deep\n')
})
