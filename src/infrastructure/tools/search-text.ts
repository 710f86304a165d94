import * as z from 'zod'
import { ok } from '../../domain/failure.ts'
import { defineTool, excludeField, globField, readsOnly } from './define-tool.ts'
import { collectLines, searchOutput } from './found-lines.ts'
import { placeSearched, readTexts, selectFiles } from './select-files.ts'
import { regexField, textPattern, wordsField } from './text-pattern.ts'

export const searchTextTool = defineTool({
  name: 'builtin/search_text',
  description: 'Finds words or a regular expression in text files, case-sensitive.',
  input: z.strictObject({ pattern: wordsField, regex: regexField, glob: globField, exclude: excludeField }),
  output: searchOutput,
  capability: readsOnly,
  searches: placeSearched,
  run: async (input, context) => {
    const pattern = textPattern(input.pattern, input.regex)
    if (!pattern.ok) return pattern
    const files = await selectFiles(input, context)
    if (!files.ok) return files
    const lines = collectLines()
    for await (const text of readTexts(files.value, context))
      lines.add(text, pattern.value.find(text.file) ?? [])
    return ok(lines.outcome())
  },
})
