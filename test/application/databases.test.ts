import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { makeDatabase, shopTables } from '../support/database.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'
import { sandboxRoot } from '../support/work-action.ts'

const SHOP = `
recipe:
  execute:
    - decide: {id: first, type: implementation_choice, question: First?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "first"}}
    - tool: {name: builtin/change_database, with: {database: shop-db, sql: "UPDATE users SET name = 'Anna' WHERE id = 1"}}
    - decide: {id: second, type: implementation_choice, question: Second?, choose: k, options: [{id: k, label: K, set: {name: Kay}}, {id: q, label: Q, set: {name: Quy}}]}
    - tool: {name: builtin/query_database, with: {database: shop-db, sql: "SELECT name FROM users WHERE id = ?", parameters: [1]}, as: seen}
    - tool: {name: builtin/write_file, with: {path: b.txt, content: "\${{ vars.name }} after \${{ seen.rows[0][0] }}"}}
    - tool: {name: builtin/change_database, with: {database: shop-db, sql: "UPDATE users SET name = ? WHERE id = 3", parameters: ["\${{ vars.name }}"]}}
`

async function shop({ inside }: { inside?: boolean } = {}) {
  const bench = await startBench()
  const user = await makeDatabase(
    shopTables,
    inside ? join(bench.repository.root, 'data/shop.db') : undefined,
  )
  await bench.backend.call('_cleveragents/resource/add', {
    name: 'shop-db',
    type: 'sqlite',
    location: user.file,
  })
  await link(bench, 'shop-db')
  await bench.action('local/shop', SHOP)
  return { bench, user }
}

async function link(bench: Bench, resource: string): Promise<void> {
  await bench.backend.call('_cleveragents/project/link-resource', {
    project: bench.repository.root,
    resource,
  })
}

async function diff(bench: Bench, plan: PlanView) {
  const shown = await bench.backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
  return {
    files: shown.files.map(file => `${file.path} +${file.additions} -${file.deletions}`),
    patch: shown.patch,
  }
}

async function checkpoints(bench: Bench, plan: PlanView) {
  const listed = await bench.backend.call('_cleveragents/plan/checkpoint/list', { plan_id: plan.plan_id })
  return listed.checkpoints.map(each => `${each.label}: ${each.resources.join(', ')}`)
}

const names = 'SELECT name FROM users ORDER BY id'

describe('a plan that works on files and a database', () => {
  test('shows both, returns both to a decision together, and applies both around what the user did', async () => {
    const { bench, user } = await shop()

    const waiting = await bench.start('local/shop', 'trusted')

    expect(whereabouts(waiting)).toBe('execute/awaiting_input phase select_tool')
    expect(user.rows(names)).toEqual([['Ann'], ['Ben'], ['Cay']])
    const first = await diff(bench, waiting)
    expect(first.files).toEqual(['a.txt +1 -1', 'b.txt +1 -1', 'shop-db/users +2 -2'])
    expect(first.patch).toContain("+(3, 'Kay', 'cay@x')\n")
    expect(waiting.changes).toEqual({ files: 3, additions: 4, deletions: 4 })
    expect(await checkpoints(bench, waiting)).toEqual([
      `before #${await numberOf(bench, waiting, 'second')} Second?: ${waiting.project.name}`,
      `before #${await numberOf(bench, waiting, 'second')} Second?: shop-db`,
    ])
    expect(waiting.notices.join(' ')).toContain('works on a copy of the database shop-db')

    const corrected = await bench.correct(waiting, 'second', 'q')

    const second = await diff(bench, corrected)
    expect(second.patch).toContain('+Quy after Anna')
    expect(second.patch).toContain("+(1, 'Anna', 'ann@x')\n")
    expect(second.patch).toContain("+(3, 'Quy', 'cay@x')\n")

    user.exec("UPDATE users SET name = 'Benno' WHERE id = 2")
    const applied = await bench.approve(corrected)

    expect(position(applied)).toBe('apply/applied')
    expect(user.rows(names)).toEqual([['Anna'], ['Benno'], ['Quy']])
    expect(await bench.read('b.txt')).toBe('Quy after Anna')
  })

  test('stops with the row in conflict where the user changed it too, and writes neither file nor row', async () => {
    const { bench, user } = await shop()
    const waiting = await bench.start('local/shop', 'trusted')
    user.exec("UPDATE users SET mail = 'new@x' WHERE id = 1")

    const constrained = await bench.approve(waiting)

    expect(position(constrained)).toBe('apply/constrained')
    expect(JSON.stringify(constrained.gates)).toContain('you and the plan both changed the row id 1')
    expect(await bench.read('a.txt')).toBe('one\n')
    expect(user.rows(names)).toEqual([['Ann'], ['Ben'], ['Cay']])
  })

  test('lets an influence edge say that a decision read a table another had changed', async () => {
    const { bench } = await shop()
    const waiting = await bench.start('local/shop', 'trusted')

    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: waiting.plan_id })

    expect(JSON.stringify(tree.edges)).toContain('shop-db/users')
  })

  test('finds the copy of a database that lies in the project in its place, for commands too', async () => {
    const { bench, user } = await shop({ inside: true })
    await bench.action(
      'local/inside',
      `
recipe:
  execute:
    - decide: {id: how, type: implementation_choice, question: How?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/run_command, with: {command: "${process.execPath} -e \\"const {DatabaseSync} = require('node:sqlite'); const db = new DatabaseSync('data/shop.db'); db.exec('PRAGMA journal_mode = WAL; DELETE FROM orders')\\" && echo done > a.txt"}}
`,
    )
    const waiting = await bench.start('local/inside', 'trusted')

    expect((await diff(bench, waiting)).files).toEqual(['a.txt +1 -1', 'shop-db/orders +0 -2'])
    expect(user.rows('SELECT count(*) FROM orders')).toEqual([[2]])

    const applied = await bench.approve(waiting)

    expect(position(applied)).toBe('apply/applied')
    expect(user.rows('SELECT count(*) FROM orders')).toEqual([[0]])
    expect(await readFile(join(bench.repository.root, 'a.txt'), 'utf8')).toBe('done\n')
  })
})

test('a database that nothing reaches costs nothing: no copy, no checkpoint, no line in the diff', async () => {
  const { bench } = await shop()
  await bench.action(
    'local/files',
    `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "x"}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
`,
  )

  const waiting = await bench.start('local/files', 'trusted')

  expect((await diff(bench, waiting)).files).toEqual(['a.txt +1 -1'])
  expect((await checkpoints(bench, waiting)).map(each => each.split(': ').at(-1))).toEqual([
    waiting.project.name,
  ])
  const root = sandboxRoot(bench.backend.dataDir, waiting.plan_id, bench.repository.root)
  expect(existsSync(join(root, '../../databases'))).toBe(false)
})

test.each([
  ['Strategize', 'recipe:\n  strategize:', 'Strategize only reads'],
  ['an action that only reads', 'read_only: true\nrecipe:\n  execute:', 'this action is read_only'],
])('%s may not change a database', async (_where, head, words) => {
  const bench = await startBench()
  const change = '{name: builtin/change_database, with: {database: shop-db, sql: DELETE FROM orders}}'

  const created = bench.action('local/early', `${head}\n    - tool: ${change}\n`)

  await expect(created).rejects.toThrow(words)
})

async function numberOf(bench: Bench, plan: PlanView, key: string): Promise<number> {
  const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
  return tree.decisions.find(each => each.key === key)?.number ?? 0
}
