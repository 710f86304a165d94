import * as z from 'zod'
import { rowsOf, rowsOutput, statementInput, withDatabases, withNotice } from './database-fields.ts'
import { defineTool, readsOnly } from './define-tool.ts'

export const queryDatabaseTool = defineTool({
  name: 'builtin/query_database',
  description: 'Runs one SQL statement that only reads on a database of the plan, and gives back its rows.',
  input: statementInput,
  output: z.strictObject({ ...rowsOutput, count: z.number() }),
  capability: readsOnly,
  run: async (input, context) => {
    const result = await withDatabases(context, input, (databases, name, statement) =>
      databases.query(name, statement),
    )
    if (!result.ok) return result
    const { rows, read } = result.value
    const output = { ...rowsOf(result.value), count: rows.length }
    const summary = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'} of ${input.database}`
    const noticed = withNotice(summary, result.value)
    return { ok: true, value: { output, summary: noticed, read, written: [] } }
  },
})
