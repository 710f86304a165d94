import * as z from 'zod'
import { refuse } from '../../domain/failure.ts'
import { literalPattern, replaceMatches } from '../files/find-text.ts'
import { lineEndAt, lineNumbers } from '../files/line-ends.ts'
import { bytesOfFileText, isAscii, readText } from '../files/read-text.ts'
import { writeFileInside } from '../files/write-file.ts'
import { defineTool, pathField, writesFiles } from './define-tool.ts'
import { wordsField } from './text-pattern.ts'

export const editFileTool = defineTool({
  name: 'builtin/edit_file',
  description:
    'Replaces one exact piece of a file that occurs in it exactly once. Line ends, encoding, mode and final newline stay.',
  input: z.strictObject({
    path: pathField,
    find: wordsField.describe('the exact text; it must occur once, so include enough around it'),
    replace: z.string(),
  }),
  output: z.strictObject({ path: z.string(), line: z.number() }),
  capability: writesFiles,
  opens: ({ path }) => [path],
  run: async ({ path, find, replace }, { root }) => {
    const read = readText(root, path)
    if (!read.ok) return read
    const file = read.value
    if (file.encoding === 'bytes' && !isAscii(replace))
      return refuse('invalid_input', `The file ${path} is not UTF-8; only ASCII can be put into it.`, {
        path,
      })
    const matches = literalPattern(find).find(file) ?? []
    const [match] = matches
    if (!match || matches.length > 1)
      return refuseMatches(
        path,
        lineNumbers(
          file.text,
          matches.map(found => found.index),
        ),
        file.encoding,
      )
    const text = keepFinalNewline(file.text, replaceMatches(file.text, [match], replace))
    const written = await writeFileInside(root, path, bytesOfFileText({ ...file, text }))
    if (!written.ok) return written
    const line = lineNumbers(file.text, [match.index])[0] ?? 1
    return {
      ok: true,
      value: {
        output: { path, line },
        summary: `edited ${path} line ${line}`,
        read: [path],
        written: [path],
      },
    }
  },
})

function refuseMatches(path: string, lines: readonly number[], encoding: string) {
  if (lines.length > 1) {
    const shown = lines.slice(0, 20).join(', ') + (lines.length > 20 ? ', ...' : '')
    const sentence = `The text occurs ${lines.length} times in ${path}, on lines ${shown}; include more of what is around it.`
    return refuse('invalid_input', sentence, { path, matches: lines.length, lines: lines.slice(0, 20) })
  }
  const hint = encoding === 'bytes' ? ' The file is not UTF-8, so only ASCII text can be found in it.' : ''
  const sentence = `The text does not occur in ${path}; read the file again and copy it exactly.${hint}`
  return refuse('invalid_input', sentence, { path, matches: 0 })
}

/** A replaced last line must not take the file's final newline with it. */
function keepFinalNewline(before: string, after: string): string {
  if (!before.endsWith('\n') || after.endsWith('\n') || after === '') return after
  return after + lineEndAt(before, before.length - 1)
}
