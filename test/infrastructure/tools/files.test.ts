import { mkdir, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolSandbox } from './tool-sandbox.ts'

describe('read_file', () => {
  it('gives the text without its byte-order mark', async () => {
    const { use } = await toolSandbox({ 'a.txt': '\uFEFFone\ntwo' })
    const outcome = await use('read_file', { path: 'a.txt' })
    expect(outcome).toEqual({
      output: { path: 'a.txt', content: 'one\ntwo', lines: 2 },
      summary: 'read 2 lines of a.txt',
      read: ['a.txt'],
      written: [],
    })
  })

  it('follows a link that stays inside and reports both names', async () => {
    const { use } = await toolSandbox({ 'docs/a.txt': 'text', 'link.txt': { link: 'docs/a.txt' } })
    expect(await use('read_file', { path: 'link.txt' })).toMatchObject({
      output: { content: 'text' },
      read: ['link.txt', 'docs/a.txt'],
    })
  })

  it.each([
    ['a folder', 'src', 'is a folder, not a file'],
    ['a device behind a link', 'device', 'leads out of the sandbox'],
    ['a binary file', 'bin', 'is binary'],
    ['a file in another encoding', 'latin', 'is not UTF-8'],
    ['a missing file', 'none', 'no such file'],
    ['a file below a file', 'bin/x', 'is a file, not a folder'],
    ['git through a link', 'git-link', 'inside .git'],
  ])('refuses %s', async (_, path, words) => {
    const { run, root } = await toolSandbox({
      'src/a': 'x',
      device: { link: '/dev/zero' },
      bin: Buffer.from([1, 0]),
      latin: Buffer.from([0xe9]),
      'git-link': { link: '.git/config' },
    })
    await mkdir(join(root, '.git'))
    await writeFile(join(root, '.git/config'), 'x')
    const result = await run('read_file', { path })
    expect(!result.ok && result.failure.message).toContain(words)
  })
})

describe('list_files', () => {
  it('lists files and links sorted by bytes, without .git, ignored files and what lies behind links', async () => {
    const { use, root } = await toolSandbox({
      b: '',
      'a/z': '',
      'a-b': '',
      '.hidden/x': '',
      '.gitignore': 'out\n',
      'out/x': '',
      link: { link: 'a' },
      'sub/.git/config': '',
      'sub/é': '',
    })
    await mkdir(join(root, '.git'))
    const { output } = await use('list_files', {})
    const paths = ['.gitignore', '.hidden/x', 'a-b', 'a/z', 'b', 'link', 'sub/é']
    expect(output).toEqual({ paths, count: 7 })
  })

  it.each([
    ['*', ['.d', 'a.ts', 'b.js']],
    ['**', ['.d', 'a.ts', 'b.js', 'src/.e.ts', 'src/c.ts', 'src/deep/d.ts']],
    ['**/*.ts', ['a.ts', 'src/.e.ts', 'src/c.ts', 'src/deep/d.ts']],
    ['src/*', ['src/.e.ts', 'src/c.ts']],
    ['./src/**', ['src/.e.ts', 'src/c.ts', 'src/deep/d.ts']],
    ['*.{ts,js}', ['a.ts', 'b.js']],
    ['[ab].*', ['a.ts', 'b.js']],
    ['src', []],
  ])('understands the glob %s', async (glob, paths) => {
    const { use } = await toolSandbox({
      ...{ 'a.ts': '', 'b.js': '', '.d': '', 'src/c.ts': '' },
      ...{ 'src/.e.ts': '', 'src/deep/d.ts': '' },
    })
    expect((await use('list_files', { glob })).output['paths']).toEqual(paths)
  })
})

describe('write_file', () => {
  it('makes the file with its folders', async () => {
    const { use, text } = await toolSandbox({})
    const outcome = await use('write_file', { path: 'a/b/c.txt', content: 'text\n' })
    expect(outcome).toMatchObject({ output: { bytes: 5, created: true }, written: ['a/b/c.txt'] })
    expect(await text('a/b/c.txt')).toBe('text\n')
  })

  it('keeps the mode and the byte-order mark of what it overwrites', async () => {
    const { use, text, mode } = await toolSandbox({ 'a.sh': { executable: '\uFEFFold' } })
    expect((await use('write_file', { path: 'a.sh', content: 'new' })).output).toMatchObject({
      created: false,
    })
    expect(await text('a.sh')).toBe('\uFEFFnew')
    expect(await mode('a.sh')).toBe(0o755)
  })

  it.each([
    ['a link', 'link', 'is a link'],
    ['a folder', 'src', 'is a folder'],
    ['a place behind a link to a folder inside', 'inner/new.txt', 'is a link'],
    ['a place below a file', 'src/a/b', 'is a file'],
  ])('refuses to write to %s', async (_, path, words) => {
    const { run, text, root } = await toolSandbox({
      'src/a': 'x',
      link: { link: 'src/a' },
      inner: { link: 'src' },
    })
    const result = await run('write_file', { path, content: 'y' })
    expect(!result.ok && result.failure.message).toContain(words)
    expect(await text('src/a')).toBe('x')
    expect(await readdir(join(root, 'src'))).toEqual(['a'])
  })

  it('sweeps what a killed run left half-written', async () => {
    const { use, root } = await toolSandbox({})
    await use('write_file', { path: 'a.txt', content: 'one' })
    const { unfinishedNames } = await leaveUnfinished(root)
    await use('write_file', { path: 'a.txt', content: 'two' })
    expect(unfinishedNames).toHaveLength(1)
    expect(await readdir(root)).toEqual(['a.txt'])
  })
})

/** What a kill between writing and renaming leaves; the name is part of the promise to sweep it. */
async function leaveUnfinished(root: string) {
  const { unfinishedNameOf } = await import('../../../src/infrastructure/files/write-file.ts')
  await writeFile(join(root, unfinishedNameOf(Buffer.from('a.txt')).toString()), 'half')
  return { unfinishedNames: (await readdir(root)).filter(name => name !== 'a.txt') }
}

describe('move_file', () => {
  it('moves into a new folder and keeps bytes and mode', async () => {
    const { use, text, mode, root } = await toolSandbox({ 'a.sh': { executable: 'x' } })
    const outcome = await use('move_file', { from: 'a.sh', to: 'bin/b.sh' })
    expect(outcome).toMatchObject({ read: ['a.sh', 'bin/b.sh'], written: ['a.sh', 'bin/b.sh'] })
    expect(await text('bin/b.sh')).toBe('x')
    expect(await mode('bin/b.sh')).toBe(0o755)
    expect(await readdir(root)).toEqual(['bin'])
  })

  it('moves a link as a link', async () => {
    const { use, root } = await toolSandbox({ link: { link: '/etc/passwd' } })
    await use('move_file', { from: 'link', to: 'moved' })
    expect(await readlink(join(root, 'moved'))).toBe('/etc/passwd')
  })

  it.each([
    ['over another file', 'a', 'b', 'already something at b'],
    ['onto itself', 'a', 'a', 'already something at a'],
    ['a folder', 'dir', 'c', 'is a folder'],
    ['what is not there', 'none', 'c', 'no file none'],
  ])('refuses to move %s', async (_, from, to, words) => {
    const { run, text } = await toolSandbox({ a: '1', b: '2', 'dir/x': '' })
    const result = await run('move_file', { from, to })
    expect(!result.ok && result.failure.message).toContain(words)
    expect(await text('b')).toBe('2')
  })
})

describe('delete_file', () => {
  it('deletes a file, and of a link only the link', async () => {
    const { use, root } = await toolSandbox({ a: 'x' })
    await symlink('a', join(root, 'link'))
    await use('delete_file', { path: 'link' })
    expect((await stat(join(root, 'a'))).isFile()).toBe(true)
    expect(await use('delete_file', { path: 'a' })).toMatchObject({ written: ['a'] })
    expect(await readdir(root)).toEqual([])
  })

  it('refuses folders and what is not there', async () => {
    const { run } = await toolSandbox({ 'dir/a': 'x' })
    expect(await run('delete_file', { path: 'dir' })).toMatchObject({ failure: { code: 'invalid_input' } })
    expect(await run('delete_file', { path: 'none' })).toMatchObject({ failure: { code: 'not_found' } })
  })
})
