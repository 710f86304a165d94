import { chmod, link, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom, uint8Array } from 'fast-check'
import { expect, it } from 'vitest'
import { toolSandbox } from './tool-sandbox.ts'

it.each([
  ['a plain line', 'one\ntwo\n', 'one', 'eins', 'eins\ntwo\n'],
  [
    'CRLF, found and replaced with LF',
    'one\r\ntwo\r\nthree\r\n',
    'one\ntwo',
    'x\ny\nz',
    'x\r\ny\r\nz\r\nthree\r\n',
  ],
  ['LF, replaced with CRLF', 'one\ntwo\n', 'one', 'x\r\ny', 'x\ny\ntwo\n'],
  ['mixed line ends, by the ones nearby', 'a\r\nb\nc\n', 'b', 'x\ny', 'a\r\nx\ny\nc\n'],
  ['a missing final newline', 'one\ntwo', 'two', 'zwei', 'one\nzwei'],
  ['a final newline that the replacement forgot', 'one\ntwo\n', 'two\n', 'zwei', 'one\nzwei\n'],
  ['a CRLF final newline', 'one\r\ntwo\r\n', 'two\n', 'zwei', 'one\r\nzwei\r\n'],
  ['a deleted line', 'one\ntwo\n', 'two\n', '', 'one\n'],
  ['everything', 'one\n', 'one\n', '', ''],
  ['a byte-order mark', '\uFEFFone\n', 'one', 'eins', '\uFEFFeins\n'],
  ['signs of regular expressions', 'a.b(c)$1\n', 'a.b(c)$1', '$&$1', '$&$1\n'],
  ['characters beyond the basic plane', 'x😀y\n', '😀', '🎉', 'x🎉y\n'],
])('keeps what it was not asked to change: %s', async (_, before, find, replace, after) => {
  const { use, text } = await toolSandbox({ 'f.txt': before })
  const outcome = await use('edit_file', { path: 'f.txt', find, replace })
  expect(await text('f.txt')).toBe(after)
  expect(outcome).toMatchObject({ read: ['f.txt'], written: ['f.txt'] })
})

it('says how often and on which lines the text occurs', async () => {
  const { run, text } = await toolSandbox({ 'f.txt': 'x\ny\nx x\n' })
  const result = await run('edit_file', { path: 'f.txt', find: 'x', replace: 'z' })
  expect(result).toMatchObject({ ok: false, failure: { facts: { matches: 3, lines: [1, 3, 3] } } })
  expect(!result.ok && result.failure.message).toContain('occurs 3 times in f.txt, on lines 1, 3, 3')
  expect(await text('f.txt')).toBe('x\ny\nx x\n')
})

it('says that the text does not occur', async () => {
  const { run } = await toolSandbox({ 'f.txt': 'x\n' })
  const result = await run('edit_file', { path: 'f.txt', find: 'y', replace: 'z' })
  expect(!result.ok && result.failure.message).toContain('does not occur in f.txt')
})

it('refuses binary files and words that the encoding of the file has no place for', async () => {
  const sandbox = await toolSandbox({
    'b.bin': Buffer.from([120, 0, 120]),
    'l.txt': Buffer.from('caf\xe9 x', 'latin1'),
  })
  expect(await sandbox.run('edit_file', { path: 'b.bin', find: 'x', replace: 'y' })).toMatchObject({
    ok: false,
  })
  expect(await sandbox.run('edit_file', { path: 'l.txt', find: 'x', replace: 'ü' })).toMatchObject({
    ok: false,
  })
  expect(await sandbox.run('edit_file', { path: 'none.txt', find: 'x', replace: 'y' })).toMatchObject({
    failure: { code: 'not_found' },
  })
  await sandbox.use('edit_file', { path: 'l.txt', find: 'x', replace: 'y' })
  expect(await sandbox.bytes('l.txt')).toEqual(Buffer.from('caf\xe9 y', 'latin1'))
})

it('keeps the mode, cuts hard links and leaves nothing half-written', async () => {
  const { use, root, mode, text } = await toolSandbox({ 'run.sh': 'one\n' })
  await chmod(join(root, 'run.sh'), 0o750)
  await link(join(root, 'run.sh'), join(root, '../outside'))
  await use('edit_file', { path: 'run.sh', find: 'one', replace: 'two' })
  expect(await mode('run.sh')).toBe(0o750)
  expect(await text('run.sh')).toBe('two\n')
  expect(await readFile(join(root, '../outside'), 'utf8')).toBe('one\n')
  expect(await readdir(root)).toEqual(['run.sh'])
})

it('leaves every byte around the edit as it was, whatever the file holds', async () => {
  const { use, bytes, root } = await toolSandbox({ f: '' })
  const noise = array(constantFrom(10, 13, 0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0xff, 36, 92, 97, 0x80)).map(codes =>
    Uint8Array.from(codes),
  )
  const noNul = uint8Array({ min: 1 }).map(data => Buffer.from(data))
  for (const part of [noise, noNul])
    await assert(
      asyncProperty(part, part, async (before, after) => {
        const [needle, replacement] = ['<needle>', '<new>']
        await writeFile(join(root, 'f'), Buffer.concat([before, Buffer.from(needle), after]))
        await use('edit_file', { path: 'f', find: needle, replace: replacement })
        expect(await bytes('f')).toEqual(Buffer.concat([before, Buffer.from(replacement), after]))
      }),
      { numRuns: 60 },
    )
})
