import * as z from 'zod'
import { rowsOf, rowsOutput, statementInput, withDatabases, withNotice } from './database-fields.ts'
import { defineTool, writesFiles } from './define-tool.ts'

export const changeDatabaseTool = defineTool({
  name: 'builtin/change_database',
  description:
    "Runs one SQL statement that changes a database of the plan. The user's own database changes at Apply.",
  input: statementInput,
  output: z.strictObject({ ...rowsOutput, changed: z.number() }),
  capability: writesFiles,
  run: async (input, context) => {
    const result = await withDatabases(context, input, (databases, name, statement) =>
      databases.change(name, statement),
    )
    if (!result.ok) return result
    const { changed, read, written } = result.value
    const output = { ...rowsOf(result.value), changed }
    const summary = `changed ${changed} ${changed === 1 ? 'row' : 'rows'} of ${input.database}`
    const noticed = withNotice(summary, result.value)
    return { ok: true, value: { output, summary: noticed, read, written } }
  },
})
