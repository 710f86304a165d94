import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { methods } from '../../src/a2a/protocol/methods.ts'

const folder = join(import.meta.dirname, '../../src/a2a/protocol/methods')

// A spread says nothing when it overwrites a name, nor does a table that nobody joined.
test('every method stands in the table of one noun, and the tables are all joined', async () => {
  const nouns = readdirSync(folder).filter(file => file !== 'row.ts')
  const tables = await Promise.all(nouns.map(file => import(join(folder, file))))
  const names = tables.flatMap(table => Object.values(table).flatMap(rows => Object.keys(rows as object)))
  expect(names.toSorted()).toEqual(Object.keys(methods).toSorted())
})
