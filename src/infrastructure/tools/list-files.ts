import * as z from 'zod'
import { defineTool, excludeField, globField, pathList, readsOnly } from './define-tool.ts'
import { placeSearched, selectFiles } from './select-files.ts'

export const listFilesTool = defineTool({
  name: 'builtin/list_files',
  description: 'Lists files in a stable order, without .git and what .gitignore names.',
  input: z.strictObject({ glob: globField, exclude: excludeField }),
  output: z.strictObject({ paths: pathList, count: z.number() }),
  capability: readsOnly,
  searches: placeSearched,
  run: async (input, context) => {
    const files = await selectFiles(input, context)
    if (!files.ok) return files
    const paths = files.value.map(file => file.path)
    const output = { paths, count: paths.length }
    return { ok: true, value: { output, summary: `${paths.length} files`, read: [], written: [] } }
  },
})
