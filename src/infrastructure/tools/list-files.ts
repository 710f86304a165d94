import * as z from 'zod'
import { defineTool, excludeField, globField, pathList, readsOnly } from './define-tool.ts'
import { selectFiles } from './select-files.ts'

export const listFilesTool = defineTool({
  name: 'builtin/list_files',
  description: 'Lists files in a stable order, without .git and what .gitignore names.',
  input: z.strictObject({ glob: globField, exclude: excludeField }),
  output: z.strictObject({ paths: pathList, count: z.number() }),
  capability: readsOnly,
  run: async (input, context) => {
    const files = await selectFiles(input, context)
    if (!files.ok) return files
    const { searched } = files.value
    const paths = files.value.files.map(file => file.path)
    const output = { paths, count: paths.length }
    return { ok: true, value: { output, summary: `${paths.length} files`, read: [], written: [], searched } }
  },
})
