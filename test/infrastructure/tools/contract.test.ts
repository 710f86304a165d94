import { expect, it } from 'vitest'
import { builtinTools } from '../../../src/infrastructure/tools/index.ts'
import { describeTool } from '../../contracts/tool.ts'
import { freshDatabases } from '../../support/database.ts'
import { commandSurroundings } from './command-surroundings.ts'

const tools = builtinTools(commandSurroundings())

const examples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'builtin/read_file': { path: 'a.txt' },
  'builtin/list_files': { glob: '**' },
  'builtin/search_text': { pattern: 'alpha' },
  'builtin/search_code': { pattern: 'f($A)', language: 'typescript' },
  'builtin/write_file': { path: 'b.txt', content: 'beta\n' },
  'builtin/edit_file': { path: 'a.txt', find: 'alpha', replace: 'beta' },
  'builtin/replace_text': { find: 'alpha', replace: 'beta' },
  'builtin/codemod': { pattern: 'f($A)', rewrite: 'g($A)', language: 'typescript' },
  'builtin/merge_changes': { plan_id: '01JZZZZZZZZZZZZZZZZZZZZZZZ', from: 'before', to: 'after' },
  'builtin/move_file': { from: 'a.txt', to: 'b.txt' },
  'builtin/delete_file': { path: 'a.txt' },
  'builtin/query_database': { database: 'shop-db', sql: 'SELECT name FROM users' },
  'builtin/change_database': { database: 'shop-db', sql: 'DELETE FROM orders' },
  'builtin/run_command': { command: 'echo hello > new.txt; cat new.txt' },
}

it('has an example for every built-in tool', () => {
  expect(tools.map(tool => tool.name).sort()).toEqual(Object.keys(examples).sort())
})

for (const tool of tools) describeTool(tool, examples[tool.name] ?? {}, { databases: freshDatabases })
