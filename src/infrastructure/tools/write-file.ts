import { readSync } from 'node:fs'
import * as z from 'zod'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import { errorCode } from '../error-code.ts'
import { openFileInside } from '../files/open-inside.ts'
import { writeFileInside } from '../files/write-file.ts'
import { defineTool, pathField, writesFiles } from './define-tool.ts'

const mark = Buffer.from('\uFEFF')

export const writeFileTool = defineTool({
  name: 'builtin/write_file',
  description: 'Writes a whole UTF-8 text file, making it and its folders where they are missing.',
  input: z.strictObject({ path: pathField, content: z.string() }),
  output: z.strictObject({ path: z.string(), bytes: z.number(), created: z.boolean() }),
  capability: writesFiles,
  opens: ({ path }) => [path],
  run: async ({ path, content }, { root }) => {
    const old = headOf(root, path)
    const bytes = Buffer.from(content)
    // Whoever writes text rarely thinks of the mark; losing it breaks the programs that asked for it.
    const marked = old?.equals(mark) && !bytes.subarray(0, 3).equals(mark)
    const whole = marked ? Buffer.concat([mark, bytes]) : bytes
    const written = await writeFileInside(root, path, whole)
    if (!written.ok) return written
    const output = { path, bytes: whole.length, created: old === null }
    const summary = `${old === null ? 'created' : 'wrote'} ${path}`
    return { ok: true, value: { output, summary, read: [], written: [path] } }
  },
})

/** The first bytes of what is there, null where nothing is. */
function headOf(root: string, path: RelPath): Buffer | null {
  try {
    const opened = openFileInside(root, path)
    if (!opened.ok) return null
    using file = opened.value
    const head = Buffer.alloc(mark.length)
    return head.subarray(0, readSync(file.fd, head, 0, head.length, 0))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
