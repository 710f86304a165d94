import { utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { SandboxState } from '../../../src/domain/sandbox/strategy.ts'
import { patchOf } from '../../../src/infrastructure/databases/row-changes.ts'
import { openCopy } from '../../../src/infrastructure/databases/sqlite/copy-sandbox.ts'
import { loadSQLite, type SQLite } from '../../../src/infrastructure/databases/sqlite/load.ts'
import {
  makeDatabase,
  openDatabaseSandbox,
  shopTables,
  sqliteResource,
  statement,
} from '../../support/database.ts'
import { expectOk } from '../../support/result.ts'
import { all, chosen, never, planId } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function shop(sql = shopTables) {
  const user = await makeDatabase(sql)
  const { strategy, sandbox } = await openDatabaseSandbox(sqliteResource(user.file))
  return {
    user,
    strategy,
    sandbox,
    change: async (text: string) => expectOk(await sandbox.change(statement(text))),
    query: async (text: string) => expectOk(await sandbox.query(statement(text))).rows,
    record: async () => expectOk(await sandbox.checkpoint('work', 'unknown')),
    apply: async (state: SandboxState) => expectOk(await sandbox.apply(all(sandbox, state), never)),
  }
}

test('the plan works on a copy: the database of the user and its folder stay as they are', async () => {
  const { user, change, query } = await shop()

  const changed = await change("UPDATE users SET name = 'Anna' WHERE id = 1")

  expect(changed).toMatchObject({ changed: 1, written: ['shop-db/users'] })
  expect(await query('SELECT name FROM users WHERE id = 1')).toEqual([['Anna']])
  expect(user.rows('SELECT name FROM users WHERE id = 1')).toEqual([['Ann']])
  expect(await readdir(dirname(user.file))).toEqual(['shop.db'])
})

test('a database in the midst of being written by another program is copied whole', async () => {
  const user = await makeDatabase(`PRAGMA journal_mode = WAL; ${shopTables}`)
  using writer = new DatabaseSync(user.file)
  writer.exec("INSERT INTO users (name) VALUES ('in the log')")
  writer.exec("BEGIN IMMEDIATE; INSERT INTO users (name) VALUES ('not committed')")

  const { sandbox } = await openDatabaseSandbox(sqliteResource(user.file))

  const names = expectOk(await sandbox.query(statement('SELECT name FROM users'))).rows
  expect(names).toEqual([['Ann'], ['Ben'], ['Cay'], ['in the log']])
  writer.exec('COMMIT')
  expect(user.rows('SELECT count(*) FROM users')).toEqual([[5]])
})

test('a change set counts the rows of each table, and the patch shows them as values', async () => {
  const { sandbox, change, record } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  await change("INSERT INTO users (name, mail) VALUES ('Dan', 'it''s'), ('Eve', char(10) || 'x')")
  await change('DELETE FROM orders WHERE id = 2')
  await change('CREATE TABLE notes (text)')

  const state = await record()

  expect(expectOk(await sandbox.changes(sandbox.baseline, state)).files).toEqual([
    changed('shop-db/notes', 'added', 1, 0),
    changed('shop-db/orders', 'modified', 0, 1),
    changed('shop-db/users', 'modified', 3, 1),
  ])
  expect(Buffer.from(expectOk(await sandbox.patch(sandbox.baseline, state))).toString()).toBe(
    [
      'diff --git a/shop-db/notes b/shop-db/notes',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/shop-db/notes',
      '@@ -0,0 +1,1 @@ (text)',
      '+CREATE TABLE notes (text);',
      'diff --git a/shop-db/orders b/shop-db/orders',
      '--- a/shop-db/orders',
      '+++ b/shop-db/orders',
      '@@ -1,1 +0,0 @@ (id, user, total)',
      '-(2, 2, 20)',
      'diff --git a/shop-db/users b/shop-db/users',
      '--- a/shop-db/users',
      '+++ b/shop-db/users',
      '@@ -1,1 +1,3 @@ (id, name, mail)',
      "-(1, 'Ann', 'ann@x')",
      "+(1, 'Anna', 'ann@x')",
      "+(4, 'Dan', 'it''s')",
      "+(5, 'Eve', E'\\nx')",
      '',
    ].join('\n'),
  )
})

test('restoring goes back and forth exactly, tables and counters included', async () => {
  const { sandbox, change, query, record } = await shop()
  await change("INSERT INTO users (name) VALUES ('Dan')")
  const first = await record()
  await change('DROP TABLE orders')
  await change("UPDATE users SET name = 'x'")
  const second = await record()

  const back = expectOk(await sandbox.restore(first))
  const names = await query('SELECT id, name FROM users')
  expectOk(await sandbox.restore(second))

  expect(back).toEqual({ restored: ['shop-db/orders', 'shop-db/users'], removed: [] })
  expect(names).toEqual([
    [1, 'Ann'],
    [2, 'Ben'],
    [3, 'Cay'],
    [4, 'Dan'],
  ])
  expect(await query('SELECT DISTINCT name FROM users')).toEqual([['x']])
  expect(await record()).toBe(second)
  expectOk(await sandbox.restore(sandbox.baseline))
  expect(await record()).toBe(sandbox.baseline)
})

test('apply brings rows home around what the user changed in other rows', async () => {
  const { user, change, record, apply } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  await change("INSERT INTO users (name) VALUES ('Dan')")
  await change('DELETE FROM orders WHERE id = 1')
  user.exec("UPDATE users SET name = 'Benno' WHERE id = 2; INSERT INTO orders VALUES (7, 3, 1)")
  const state = await record()

  const report = await apply(state)

  expect(report).toEqual({
    outcome: 'applied',
    written: ['shop-db/orders', 'shop-db/users'],
    unchanged: [],
    left: [],
    notices: [],
    state,
  })
  expect(user.rows('SELECT id, name FROM users')).toEqual([
    [1, 'Anna'],
    [2, 'Benno'],
    [3, 'Cay'],
    [4, 'Dan'],
  ])
  expect(user.rows('SELECT id FROM orders')).toEqual([[2], [7]])
})

test('a row that both changed is a conflict with its key, and nothing is written', async () => {
  const { user, change, record, apply } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  await change("UPDATE users SET name = 'Benno' WHERE id = 2")
  await change("UPDATE users SET name = 'Kay' WHERE id = 3")
  await change("INSERT INTO users (id, name) VALUES (9, 'plan')")
  user.exec("UPDATE users SET mail = 'new@x' WHERE id = 1; DELETE FROM users WHERE id = 3")
  user.exec("INSERT INTO users (id, name) VALUES (9, 'user')")
  const before = user.rows('SELECT * FROM users')

  const report = await apply(await record())

  expect(report).toEqual({
    outcome: 'constrained',
    conflicts: [
      conflict('content', 'you and the plan both changed the row id 1.'),
      conflict('modify_delete', 'the plan changed the row id 3 and you deleted it.'),
      conflict('content', 'you and the plan each added the row id 9, differently.'),
    ],
  })
  expect(user.rows('SELECT * FROM users')).toEqual(before)
})

test('a value that must be unique and that the user gave away meanwhile is a conflict', async () => {
  const { user, change, record, apply } = await shop()
  await change("INSERT INTO users (id, name, mail) VALUES (20, 'plan', 'new@x')")
  user.exec("INSERT INTO users (id, name, mail) VALUES (30, 'user', 'new@x')")

  const report = await apply(await record())

  expect(report).toMatchObject({ outcome: 'constrained', conflicts: [{ path: 'shop-db/users' }] })
  expect(user.rows('SELECT id FROM users WHERE id > 3')).toEqual([[30]])
})

test('a row that would refer to one the user removed is a conflict', async () => {
  const { user, change, record, apply } = await shop()
  await change('INSERT INTO orders VALUES (5, 3, 1)')
  user.exec('DELETE FROM users WHERE id = 3')

  const report = await apply(await record())

  expect(report).toMatchObject({ outcome: 'constrained', conflicts: [{ path: 'shop-db/orders' }] })
  expect(user.rows('SELECT id FROM orders')).toEqual([[1], [2]])
})

test('applying twice, as after a crash before the plan heard of it, changes nothing', async () => {
  const { user, change, record, apply } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  const state = await record()
  await apply(state)
  user.exec("UPDATE users SET name = 'Benno' WHERE id = 2")

  const report = await apply(state)

  expect(report).toMatchObject({ outcome: 'applied', written: [], unchanged: ['shop-db/users'], state })
  expect(user.rows('SELECT name FROM users')).toEqual([['Anna'], ['Benno'], ['Cay']])
})

test('tables can be chosen; the rest stays for later', async () => {
  const { user, sandbox, change, record } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  await change('DELETE FROM orders WHERE id = 1')
  const state = await record()

  const users = expectOk(await sandbox.apply(chosen(sandbox, state, ['shop-db/users' as never]), never))
  if (users.outcome !== 'applied') throw new Error('expected no conflict')
  const left = expectOk(await sandbox.changes(users.state, state))
  const rest = expectOk(await sandbox.apply({ from: users.state, to: state, choice: { kind: 'all' } }, never))

  expect(users.written).toEqual(['shop-db/users'])
  expect(left.files.map(file => file.path)).toEqual(['shop-db/orders'])
  expect(rest).toMatchObject({ written: ['shop-db/orders'], state })
  expect(user.rows('SELECT id FROM orders')).toEqual([[2]])
})

test('triggers of the database had their effects in the copy and have them once', async () => {
  const trigger =
    'CREATE TABLE log (id INTEGER PRIMARY KEY, m); CREATE TRIGGER t AFTER UPDATE ON users BEGIN INSERT INTO log (m) VALUES (new.name); END;'
  const { user, change, record, apply } = await shop(`${shopTables}${trigger}`)
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")

  await apply(await record())

  expect(user.rows('SELECT * FROM log')).toEqual([[1, 'Anna']])
  user.exec("UPDATE users SET name = 'again' WHERE id = 1")
  expect(user.rows('SELECT * FROM log')).toEqual([
    [1, 'Anna'],
    [2, 'again'],
  ])
})

test('changes of the schema are laid over a database that is as it was', async () => {
  const { user, change, record, apply } = await shop()
  await change('ALTER TABLE users ADD COLUMN age INTEGER')
  await change('UPDATE users SET age = 7 WHERE id = 1')
  const state = await record()

  const report = await apply(state)

  expect(report).toMatchObject({ outcome: 'applied', written: ['shop-db/users'] })
  expect(user.rows('SELECT id, age FROM users WHERE age')).toEqual([[1, 7]])
  expect(await apply(state)).toMatchObject({ outcome: 'applied', written: [], unchanged: ['shop-db/users'] })
})

test.each(['WAL', 'DELETE'])(
  'a row that is written in the moment before a database is laid over is kept, with the journal mode %s',
  async mode => {
    const user = await makeDatabase(`PRAGMA journal_mode = ${mode}; ${shopTables}`)
    const sqlite = expectOk(await loadSQLite())
    const backup: typeof sqlite.backup = (source, target, options) => {
      if (target === user.file) user.exec("INSERT INTO users (name) VALUES ('Dan')")
      return sqlite.backup(source, target, options)
    }
    const sandbox = await openedWith({ ...sqlite, backup }, user.file)
    expectOk(await sandbox.change(statement('ALTER TABLE users ADD COLUMN age INTEGER')))
    const state = expectOk(await sandbox.checkpoint('work', 'unknown'))

    const report = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(report).toMatchObject({ outcome: 'constrained', conflicts: [{ path: 'shop-db/users' }] })
    expect(user.rows('SELECT * FROM users WHERE id > 3')).toEqual([[4, 'Dan', null]])
  },
)

test('a database without a log whose file only got other times is as it was looked at', async () => {
  const user = await makeDatabase(`PRAGMA journal_mode = DELETE; ${shopTables}`)
  const sqlite = expectOk(await loadSQLite())
  const backup: typeof sqlite.backup = (source, target, options) => {
    if (target === user.file) utimesSync(user.file, 0, 0)
    return sqlite.backup(source, target, options)
  }
  const sandbox = await openedWith({ ...sqlite, backup }, user.file)
  expectOk(await sandbox.change(statement('ALTER TABLE users ADD COLUMN age INTEGER')))
  const state = expectOk(await sandbox.checkpoint('work', 'unknown'))

  const report = expectOk(await sandbox.apply(all(sandbox, state), never))

  expect(report).toMatchObject({ outcome: 'applied', written: ['shop-db/users'] })
})

test('what is written in the copy while it is recorded is in the next state', async () => {
  const { file } = await makeDatabase()
  const sqlite = expectOk(await loadSQLite())
  let late: (() => void) | null = null
  class Watched extends sqlite.DatabaseSync {
    override close(): void {
      super.close()
      late?.()
    }
  }
  const sandbox = await openedWith({ ...sqlite, DatabaseSync: Watched }, file)
  const copy = join(sandbox.root, 'database.db')
  expectOk(await sandbox.change(statement("INSERT INTO users (name) VALUES ('Dan')")))
  late = () => {
    late = null
    using db = new sqlite.DatabaseSync(copy)
    db.exec("INSERT INTO users (name) VALUES ('Eve')")
  }
  const first = expectOk(await sandbox.checkpoint('work', 'unknown'))

  const second = expectOk(await sandbox.checkpoint('again', 'unknown'))

  expect(expectOk(await sandbox.changes(first, second)).files).toMatchObject([{ additions: 1 }])
})

async function openedWith(sqlite: SQLite, file: string) {
  const folder = join(await temporaryFolder(), 'shop-db')
  const spec = { planId, resource: sqliteResource(file), folder, folderOf: () => folder }
  return expectOk(await openCopy(sqlite, { ...spec, workFile: null, earlier: [] }))
}

test('changes of the schema and of tables without keys are refused where the user changed anything', async () => {
  const { user, change, record, apply } = await shop(
    `${shopTables} CREATE TABLE loose (x); INSERT INTO loose VALUES (1)`,
  )
  await change('CREATE INDEX by_name ON users (name)')
  await change('UPDATE loose SET x = 2')
  user.exec("UPDATE users SET name = 'Benno' WHERE id = 2")

  const report = await apply(await record())

  expect(report).toEqual({
    outcome: 'constrained',
    conflicts: [
      {
        path: 'shop-db/index by_name',
        kind: 'foreign',
        reason:
          'shop-db/index by_name: its schema changes, so it can only be applied while your database is as it was when the plan began, and it was changed.',
      },
      {
        path: 'shop-db/loose',
        kind: 'foreign',
        reason:
          'shop-db/loose: its rows have no primary key, so it can only be applied while your database is as it was when the plan began, and it was changed.',
      },
    ],
  })
  expect(user.rows('SELECT x FROM loose')).toEqual([[1]])
})

test('what SQLite holds comes home byte for byte', async () => {
  const table =
    'CREATE TABLE odd (a TEXT COLLATE NOCASE, b, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE TABLE big (id INTEGER PRIMARY KEY, v, d AS (v || 1) STORED);'
  const { user, change, record, apply } = await shop(table)
  await change("INSERT INTO odd VALUES ('É', x'00ff'), ('quote''', 1.0), ('n', 9007199254740993)")
  await change("INSERT INTO big (id, v) VALUES (9223372036854775807, CAST(x'ff41' AS TEXT)), (1, -0.0)")

  await apply(await record())

  const content =
    'SELECT hex(a), typeof(b), hex(b) FROM odd UNION ALL SELECT id, typeof(v), hex(v) FROM big ORDER BY 1'
  using plan = new DatabaseSync(':memory:')
  plan.exec(table)
  plan.exec("INSERT INTO odd VALUES ('É', x'00ff'), ('quote''', 1.0), ('n', 9007199254740993)")
  plan.exec("INSERT INTO big (id, v) VALUES (9223372036854775807, CAST(x'ff41' AS TEXT)), (1, -0.0)")
  const wanted = plan.prepare(content.replaceAll(' id,', ' CAST(id AS TEXT),'))
  wanted.setReturnArrays(true)
  expect(user.rows(content.replaceAll(' id,', ' CAST(id AS TEXT),'))).toEqual(wanted.all())
})

const refused: [title: string, sql: string, access: 'query' | 'change', words: string][] = [
  ['a write in a query', 'DELETE FROM users', 'query', 'builtin/change_database'],
  ['a COMMIT', 'COMMIT', 'change', 'transactions belong to the plan'],
  ['a ROLLBACK', 'ROLLBACK', 'change', 'transactions belong to the plan'],
  ['a savepoint', 'SAVEPOINT x', 'change', 'transactions belong to the plan'],
  ['another file', "ATTACH '/tmp/other.db' AS o", 'change', 'other database files'],
  ['a copy to another file', "VACUUM INTO '/tmp/other.db'", 'change', 'other database files'],
  ['a pragma', 'PRAGMA writable_schema = 1', 'change', 'PRAGMA writable_schema'],
  [
    'a query without end',
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n',
    'query',
    'no end',
  ],
  ['a second statement', 'SELECT 1; DELETE FROM users', 'change', 'one statement'],
  ['nothing', ' -- nothing', 'query', 'empty'],
  ['an unknown table', 'SELECT * FROM user', 'query', 'no such table: user'],
]

test.each(refused)('%s is refused in words', async (_title, sql, access, words) => {
  const { sandbox, record } = await shop()
  const before = await record()

  const answer = await sandbox[access](statement(sql))

  expect(answer).toMatchObject({ ok: false, failure: { message: expect.stringContaining(words) } })
  expect(await record()).toBe(before)
})

test('a query gives back so many rows and says that there are more', async () => {
  const { sandbox } = await shop()
  const few = { sql: 'SELECT id, name FROM users WHERE id >= ? ORDER BY id', parameters: [1], maxRows: 2 }

  const answer = expectOk(await sandbox.query(few))

  expect(answer).toEqual({
    columns: ['id', 'name'],
    rows: [
      [1, 'Ann'],
      [2, 'Ben'],
    ],
    isCut: true,
    changed: 0,
    notice: null,
    read: ['shop-db/users'],
    written: [],
  })
})

test('made anew it begins with the database as it is; what was before is compared, and not returned to', async () => {
  const { user, strategy, sandbox, change, record } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  const before = await record()
  user.exec("UPDATE users SET name = 'Benno' WHERE id = 2")

  await strategy.renew(planId)
  await strategy.renew(planId)
  const anew = expectOk(await strategy.open({ planId, projectRoot: '/nowhere' }, never))

  const patch = Buffer.from(expectOk(await anew.patch(before, anew.baseline))).toString()
  expect([patch.includes('Anna'), patch.includes('Benno')]).toEqual([true, true])
  for (const refused of [
    await anew.restore(before),
    await anew.previewRestore(before, { scope: { kind: 'all' }, since: '' }),
  ])
    expect(refused).toMatchObject({ ok: false, failure: { code: 'not_found', facts: { state: before } } })
  await strategy.discard(planId)
  const whole = expectOk(await strategy.open({ planId, projectRoot: '/nowhere' }, never))
  expect(await whole.changes(before, whole.baseline)).toMatchObject({ ok: false })
  expect(sandbox.baseline).not.toBe(anew.baseline)
})

test('a change set of nothing is empty', () => {
  expect(patchOf('shop-db', []).length).toBe(0)
})

function changed(path: string, status: string, additions: number, deletions: number) {
  return { path, oldPath: null, status, additions, deletions, binary: false }
}

function conflict(kind: string, words: string) {
  return { path: 'shop-db/users', kind, reason: `shop-db/users: ${words}` }
}
