import * as z from 'zod'
import { ok } from '../../domain/failure.ts'
import { codePattern, codePatternField, languageField } from './code-pattern.ts'
import { defineTool, excludeField, globField, readsOnly } from './define-tool.ts'
import { collectLines, searchOutput } from './found-lines.ts'
import { placeSearched, readTexts, selectFiles } from './select-files.ts'

export const searchCodeTool = defineTool({
  name: 'builtin/search_code',
  description: 'Finds code by its structure, whatever its spacing.',
  input: z.strictObject({
    pattern: codePatternField,
    language: languageField,
    glob: globField,
    exclude: excludeField,
  }),
  output: searchOutput,
  capability: readsOnly,
  searches: placeSearched,
  run: async ({ pattern, language, ...where }, context) => {
    const code = await codePattern(pattern, language)
    if (!code.ok) return code
    const files = await selectFiles(where, context)
    if (!files.ok) return files
    const lines = collectLines()
    const written = files.value.filter(file => code.value.reads(file.bytes))
    for await (const text of readTexts(written, context))
      if (text.file.encoding === 'utf-8') lines.add(text, code.value.find(text.bytes, text.file.text))
    return ok(lines.outcome())
  },
})
