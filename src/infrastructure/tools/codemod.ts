import * as z from 'zod'
import { codePattern, codePatternField, languageField } from './code-pattern.ts'
import { defineTool, excludeField, globField, writesFiles } from './define-tool.ts'
import { checkHoles, rewriteCode } from './rewrite-code.ts'
import { rewriteFiles, rewriteOutput } from './rewrite-files.ts'
import { placeSearched, selectFiles } from './select-files.ts'

export const codemodTool = defineTool({
  name: 'builtin/codemod',
  description:
    'Finds code by its structure and rewrites it; holes of the pattern can be used in the rewrite.',
  input: z.strictObject({
    pattern: codePatternField,
    rewrite: z.string(),
    language: languageField,
    glob: globField,
    exclude: excludeField,
  }),
  output: rewriteOutput,
  capability: writesFiles,
  searches: placeSearched,
  run: async ({ pattern, rewrite, language, ...where }, context) => {
    const holes = checkHoles(pattern, rewrite)
    if (!holes.ok) return holes
    const code = await codePattern(pattern, language)
    if (!code.ok) return code
    const files = await selectFiles(where, context)
    if (!files.ok) return files
    return rewriteFiles(
      files.value.filter(file => code.value.reads(file.bytes)),
      ({ bytes, file }) =>
        file.encoding === 'utf-8' ? rewriteCode(code.value, rewrite, bytes, file.text) : null,
      context,
    )
  },
})
