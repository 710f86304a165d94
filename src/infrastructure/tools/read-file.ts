import * as z from 'zod'
import { refuse } from '../../domain/failure.ts'
import { readText } from '../files/read-text.ts'
import { resolveLinks } from '../files/resolve-links.ts'
import { defineTool, pathField, readsOnly } from './define-tool.ts'

const mark = '\uFEFF'

export const readFileTool = defineTool({
  name: 'builtin/read_file',
  description: 'Reads a UTF-8 text file.',
  input: z.strictObject({ path: pathField }),
  output: z.strictObject({ path: z.string(), content: z.string(), lines: z.number() }),
  capability: readsOnly,
  opens: ({ path }) => [path],
  run: async ({ path }, { root }) => {
    const real = await resolveLinks(root, path)
    if (!real.ok) return real
    const read = readText(root, real.value)
    if (!read.ok) return read
    if (read.value.encoding !== 'utf-8')
      return refuse('invalid_input', `The file ${path} is not UTF-8 text; read it with a command.`, { path })
    const content = read.value.text.startsWith(mark) ? read.value.text.slice(1) : read.value.text
    const lines = countLines(content)
    return {
      ok: true,
      value: {
        output: { path, content, lines },
        summary: `read ${lines} lines of ${path}`,
        read: real.value === path ? [path] : [path, real.value],
        written: [],
      },
    }
  },
})

function countLines(text: string): number {
  const ends = text.split('\n').length
  return text === '' || text.endsWith('\n') ? ends - 1 : ends
}
