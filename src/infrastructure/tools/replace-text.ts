import * as z from 'zod'
import { defineTool, excludeField, globField, writesFiles } from './define-tool.ts'
import { rewriteFiles, rewriteOutput } from './rewrite-files.ts'
import { placeSearched, selectFiles } from './select-files.ts'
import { regexField, textPattern, wordsField } from './text-pattern.ts'

export const replaceTextTool = defineTool({
  name: 'builtin/replace_text',
  description:
    'Replaces words or a regular expression in all text files that a glob names; other bytes stay.',
  input: z.strictObject({
    find: wordsField,
    replace: z
      .string()
      .describe('with regex: $1, $<name>, $& stand for what was matched, $$ for a dollar sign'),
    regex: regexField,
    glob: globField,
    exclude: excludeField,
  }),
  output: rewriteOutput,
  capability: writesFiles,
  searches: placeSearched,
  run: async (input, context) => {
    const pattern = textPattern(input.find, input.regex)
    if (!pattern.ok) return pattern
    const files = await selectFiles(input, context)
    if (!files.ok) return files
    return rewriteFiles(files.value, ({ file }) => pattern.value.replace(file, input.replace), context)
  },
})
