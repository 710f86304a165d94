import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { expect, it } from 'vitest'
import { toolSandbox } from './tool-sandbox.ts'

it('replaces words in every text file the glob names and reports exactly those', async () => {
  const { use, text } = await toolSandbox({
    'src/b.ts': 'old old\n',
    'src/a.ts': 'x old\n',
    'src/none.ts': 'new\n',
    'src/.hidden.ts': 'old\n',
    'docs/a.md': 'old\n',
    'ignored.log': 'old\n',
    '.gitignore': '*.log\n',
    bin: Buffer.from('old\0'),
    'link.ts': { link: 'src/a.ts' },
  })
  const outcome = await use('replace_text', { find: 'old', replace: 'new', glob: 'src/**' })
  expect(outcome).toEqual({
    output: { paths: ['src/.hidden.ts', 'src/a.ts', 'src/b.ts'], count: 4, skipped: [] },
    summary: 'replaced 4 in 3 files',
    read: ['src/.hidden.ts', 'src/a.ts', 'src/b.ts'],
    written: ['src/.hidden.ts', 'src/a.ts', 'src/b.ts'],
  })
  expect(await text('src/b.ts')).toBe('new new\n')
  const rest = await use('replace_text', { find: 'old', replace: 'new' })
  expect(rest.output).toEqual({ paths: ['docs/a.md'], count: 1, skipped: [] })
  expect(await text('ignored.log')).toBe('old\n')
})

it('takes dollar signs in plain words as they are', async () => {
  const { use, text } = await toolSandbox({ f: 'a$b a$b' })
  await use('replace_text', { find: 'a$b', replace: '$&$1$$' })
  expect(await text('f')).toBe('$&$1$$ $&$1$$')
})

it('replaces by regular expressions with groups, line by line', async () => {
  const { use, text } = await toolSandbox({ f: 'get(a)\r\nget(bb)\r\n' })
  const { output } = await use('replace_text', {
    find: '^get\\((?<x>.+?)\\)$',
    replace: '$<x>\n!',
    regex: true,
  })
  expect(output).toMatchObject({ count: 2 })
  expect(await text('f')).toBe('a\r\n!\r\nbb\r\n!\r\n')
})

it('leaves files alone whose encoding has no place for the words, and says so', async () => {
  const latin = Buffer.from('caf\xe9 old', 'latin1')
  const { use, bytes } = await toolSandbox({ 'l.txt': latin, 'u.txt': 'café old' })
  const { output, summary } = await use('replace_text', { find: 'old', replace: 'für' })
  expect(output).toEqual({ paths: ['u.txt'], count: 1, skipped: ['l.txt'] })
  expect(summary).toBe('replaced 1 in 1 files, left 1 alone that are not UTF-8')
  expect(await bytes('l.txt')).toEqual(latin)
  await use('replace_text', { find: 'old', replace: 'new' })
  expect(await bytes('l.txt')).toEqual(Buffer.from('caf\xe9 new', 'latin1'))
})

it('stops a regular expression that never ends and changes nothing', async () => {
  const { run, text } = await toolSandbox({ 'a.txt': 'ab\n', 'b.txt': `${'a'.repeat(60)}b` })
  const result = await run('replace_text', { find: '(a+)+$|ab', replace: 'x', regex: true })
  expect(result).toMatchObject({ ok: false, failure: { code: 'invalid_input' } })
  expect(await text('a.txt')).toBe('ab\n')
})

it('refuses what is no regular expression', async () => {
  const { run } = await toolSandbox({ f: 'x' })
  const result = await run('replace_text', { find: '(', replace: 'x', regex: true })
  expect(!result.ok && result.failure.message).toContain('not a regular expression')
})

it('changes nothing but the words, whatever bytes are around them', async () => {
  const { run, bytes, root } = await toolSandbox({ f: '' })
  const byte = constantFrom(10, 13, 0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0xff, 36, 97, 0x80, 32)
  const part = array(byte).map(codes => Buffer.from(codes))
  await assert(
    asyncProperty(
      array(part, { minLength: 1, maxLength: 5 }),
      constantFrom(true, false),
      async (parts, regex) => {
        const joined = (words: string) =>
          Buffer.concat(parts.flatMap((each, i) => (i === 0 ? [each] : [Buffer.from(words), each])))
        await writeFile(join(root, 'f'), joined('<old>'))
        await run('replace_text', { find: '<old>', replace: '<new!>', regex })
        expect(await bytes('f')).toEqual(joined('<new!>'))
      },
    ),
    { numRuns: 100 },
  )
})
