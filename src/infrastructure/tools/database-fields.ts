import * as z from 'zod'
import { type Result, refuse } from '../../domain/failure.ts'
import type { Databases, Statement, StatementResult } from '../../domain/sandbox/database.ts'
import type { ToolContext } from '../../domain/tool.ts'

/** What both database tools take. */
export const statementInput = z.strictObject({
  database: z.string().min(1).describe('the name of the resource'),
  sql: z.string().min(1).describe('one statement, with ? ($1 in PostgreSQL) where a parameter goes'),
  parameters: z
    .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .default([])
    .describe('values for the places, in their order'),
  max_rows: z.int().min(1).max(1_000).default(200).describe('rows beyond these are left out'),
})

export const rowsOutput = {
  columns: z.array(z.string()).readonly(),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()])).readonly()).readonly(),
  /** There were more rows. */
  truncated: z.boolean(),
}

export function rowsOf({ columns, rows, isCut }: StatementResult) {
  return { columns, rows, truncated: isCut }
}

export function withNotice(summary: string, { notice }: StatementResult): string {
  return notice === null ? summary : `${summary}; ${notice}`
}

export async function withDatabases(
  { databases }: ToolContext,
  input: z.output<typeof statementInput>,
  run: (databases: Databases, name: string, statement: Statement) => Promise<Result<StatementResult>>,
): Promise<Result<StatementResult>> {
  const { database, sql, parameters, max_rows: maxRows } = input
  if (databases !== null) return run(databases, database, { sql, parameters, maxRows })
  return refuse(
    'not_found',
    `The plan has no database ${database}. Register one with agents resource add, link it with agents project link-resource, and make a new plan.`,
    { database },
  )
}
