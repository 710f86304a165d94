import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { toolSandbox } from './tool-sandbox.ts'

it('finds lines with their numbers, in the order of the bytes of the paths', async () => {
  const { use } = await toolSandbox({ 'b.txt': 'no\nyes yes\r\n', 'a-b.txt': 'yes', 'a/b.txt': '\n\nyes\n' })
  const outcome = await use('search_text', { pattern: 'yes' })
  expect(outcome).toEqual({
    output: {
      paths: ['a-b.txt', 'a/b.txt', 'b.txt'],
      matches: [
        { path: 'a-b.txt', line: 1, text: 'yes' },
        { path: 'a/b.txt', line: 3, text: 'yes' },
        { path: 'b.txt', line: 2, text: 'yes yes' },
      ],
      count: 4,
      truncated: false,
    },
    summary: '4 matches in 3 files',
    read: ['a-b.txt', 'a/b.txt', 'b.txt'],
    written: [],
  })
})

it('searches by regular expression', async () => {
  const { use } = await toolSandbox({ 'a.ts': 'let aa = 1\nlet b = 2\n' })
  const { output } = await use('search_text', { pattern: '^let \\w{2}\\b', regex: true })
  expect(output).toMatchObject({ matches: [{ line: 1 }], count: 1 })
})

it('shows a thousand lines and counts the rest', async () => {
  const { use } = await toolSandbox({ 'a.txt': 'hit\n'.repeat(1500), 'b.txt': 'hit\n' })
  const { output } = await use('search_text', { pattern: 'hit' })
  expect(output).toMatchObject({ paths: ['a.txt', 'b.txt'], count: 1501, truncated: true })
  expect(output['matches']).toHaveLength(1000)
})

it('cuts a long line around what was found', async () => {
  const { use } = await toolSandbox({ 'min.js': `${'x'.repeat(500_000)}hit${'y'.repeat(500_000)}` })
  const { output } = await use('search_text', { pattern: 'hit' })
  const [match] = output['matches'] as { text: string }[]
  expect(match?.text).toMatch(/^…x{40}hity+…$/)
  expect(match?.text.length).toBeLessThan(310)
})

it('finds files whose names are not text, and gives a path that other tools take', async () => {
  const { use, root } = await toolSandbox({ x: 'hit' })
  const name = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x0a])])
  await rename(join(root, 'x'), name)
  const { output } = await use('search_text', { pattern: 'hit' })
  expect(output).toMatchObject({ paths: ['"\\377\\n"'] })
  await use('edit_file', { path: '"\\377\\n"', find: 'hit', replace: 'found' })
  expect((await use('read_file', { path: '"\\377\\n"' })).output).toMatchObject({ content: 'found' })
})

it('obeys nested ignore rules like git', async () => {
  const { use, root } = await toolSandbox({
    '.gitignore': 'build/\n*.tmp\n',
    'a.tmp': 'hit',
    'build/out.txt': 'hit',
    'pkg/.gitignore': '!keep.tmp\n/only-here\n',
    'pkg/keep.tmp': 'hit',
    'pkg/only-here': 'hit',
    'pkg/deep/only-here': 'hit',
  })
  await writeFile(join(root, 'A.TMP'), 'hit')
  const { output } = await use('search_text', { pattern: 'hit' })
  expect(output['paths']).toEqual(['A.TMP', 'pkg/deep/only-here', 'pkg/keep.tmp'])
})
