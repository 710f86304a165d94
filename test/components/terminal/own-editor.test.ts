import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { editInOwnEditor } from '../../../components/terminal/own-editor.ts'

const terminal = { handOver: <Result>(run: () => Promise<Result>) => run() }

function edit(text: string, editor: string | undefined) {
  return editInOwnEditor(text, { env: { PATH: process.env['PATH'], EDITOR: editor }, terminal })
}

test('the editor gets the text in a file of its own and what it saves comes back', async () => {
  expect(await edit('use the router', 'sed -i -e "s/router/middleware/"')).toEqual({
    kind: 'text',
    text: 'use the middleware',
  })
})

test('nothing is left of the file', async () => {
  const where = await edit('', `sh -c 'dirname "$1" > "$1"' sh`)
  const folder = where.kind === 'text' ? where.text : ''
  expect(folder).toContain('agents-text-')
  expect(existsSync(folder)).toBe(false)
})

test('an editor that fails leaves the text alone, and says so', async () => {
  expect(await edit('x', 'false')).toEqual({
    kind: 'problem',
    message: 'false ended with code 1; nothing was taken over.',
  })
  expect(await edit('x', undefined)).toEqual({
    kind: 'problem',
    message: 'Set EDITOR (or VISUAL) to the editor that you use.',
  })
})
