import { expect, it } from 'vitest'
import { toolSandbox } from './tool-sandbox.ts'

it.each([
  ['one hole', 'foo($A)', 'bar($A)', 'foo(1); foo( x ); foo(1, 2)', 'bar(1); bar(x); foo(1, 2)'],
  [
    'many nodes with what is between them',
    'foo($$$ARGS)',
    'bar($$$ARGS)',
    'foo(1,  2); foo()',
    'bar(1,  2); bar()',
  ],
  ['nested matches', 'foo($A)', 'bar($A)', 'foo(foo(foo(1)))', 'bar(bar(bar(1)))'],
  [
    'characters beyond the basic plane',
    'foo($A)',
    'bar($A)',
    '"😀"; foo("😀"); // é',
    '"😀"; bar("😀"); // é',
  ],
  ['holes in another order', 'f($A, $B)', 'f($B, $A)', 'f(1, 2)', 'f(2, 1)'],
  ['CRLF', 'f($A)', 'g(\n$A)', 'x\r\nf(1)\r\n', 'x\r\ng(\r\n1)\r\n'],
  ['words only where they are code', 'old', 'fresh', 'old; "old"; // old', 'fresh; "old"; // old'],
])('rewrites %s', async (_, pattern, rewrite, before, after) => {
  const { use, text } = await toolSandbox({ 'a.ts': before, 'a.txt': before })
  const outcome = await use('codemod', { pattern, rewrite, language: 'typescript' })
  expect(await text('a.ts')).toBe(after)
  expect(await text('a.txt')).toBe(before)
  expect(outcome).toMatchObject({ output: { paths: ['a.ts'] }, written: ['a.ts'] })
})

it('counts every rewrite, nested ones too, and reads tsx as typescript', async () => {
  const { use, text } = await toolSandbox({ 'a.ts': 'f(f(1))', 'b.tsx': '<a>{f(1)}</a>', 'c.js': 'f(1)' })
  const { output } = await use('codemod', { pattern: 'f($A)', rewrite: 'g($A)', language: 'typescript' })
  expect(output).toEqual({ paths: ['a.ts', 'b.tsx'], count: 3, skipped: [] })
  expect(await text('b.tsx')).toBe('<a>{g(1)}</a>')
})

it('rewrites CSS', async () => {
  const { use, text } = await toolSandbox({ 'a.css': 'a { color: red; }\n' })
  await use('codemod', { pattern: 'a { color: $C; }', rewrite: 'b { color: $C; }', language: 'css' })
  expect(await text('a.css')).toBe('b { color: red; }\n')
})

it('keeps a byte-order mark', async () => {
  const { use, text } = await toolSandbox({ 'a.ts': '\uFEFFf(1)\n' })
  await use('codemod', { pattern: 'f($A)', rewrite: 'g($A)', language: 'typescript' })
  expect(await text('a.ts')).toBe('\uFEFFg(1)\n')
})

it.each([
  ['a hole that the pattern lacks', { pattern: 'f($A)', rewrite: 'g($B)' }, '$B'],
  ['a pattern that is no code', { pattern: 'f(((', rewrite: 'g' }, 'no complete typescript code'],
  ['a part of a CSS rule', { pattern: 'color: red', rewrite: 'x', language: 'css' }, 'no complete css code'],
  ['an unknown language', { pattern: 'f($A)', rewrite: 'g($A)', language: 'cobol' }, 'language'],
])('refuses %s', async (_, input, words) => {
  const { run } = await toolSandbox({ 'a.ts': 'f(1)' })
  const result = await run('codemod', { language: 'typescript', ...input })
  expect(result).toMatchObject({ ok: false, failure: { code: 'invalid_input' } })
  expect(!result.ok && result.failure.message).toContain(words)
})

it('searches by structure without changing anything', async () => {
  const { use, text } = await toolSandbox({ 'a.ts': 'x\nfoo( 1,\n 2 )\n' })
  const outcome = await use('search_code', { pattern: 'foo($A, $B)', language: 'typescript' })
  expect(outcome.output).toEqual({
    paths: ['a.ts'],
    matches: [{ path: 'a.ts', line: 2, text: 'foo( 1,' }],
    count: 1,
    truncated: false,
  })
  expect(await text('a.ts')).toBe('x\nfoo( 1,\n 2 )\n')
})
