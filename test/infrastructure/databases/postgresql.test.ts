import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../src/domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../../../src/infrastructure/databases/database-sandbox.ts'
import { findPassword, passwordIn } from '../../../src/infrastructure/databases/postgresql/password.ts'
import { describeSandboxContract } from '../../contracts/sandbox.ts'
import { databaseStrategy, statement } from '../../support/database.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import { aResource } from '../../support/records.ts'
import { expectOk } from '../../support/result.ts'
import { all, never, planId } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const server = await startPostgres()
let made = 0
const opened: Sandbox[] = []
const strategies: { discard(id: typeof planId): Promise<void> }[] = []

afterAll(async () => {
  for (const strategy of strategies) await strategy.discard(planId)
  await server?.stop()
})

const tables = `
  CREATE TABLE users (id serial PRIMARY KEY, name text NOT NULL, mail text UNIQUE DEFERRABLE INITIALLY DEFERRED);
  INSERT INTO users (name, mail) VALUES ('Ann', 'ann@x'), ('Ben', 'ben@x');
  CREATE TABLE content (id int PRIMARY KEY, value int); INSERT INTO content VALUES (1, 0)
`

async function fresh(on: PostgresServer) {
  const database = `shop_${++made}`
  await on.sql('postgres', `CREATE DATABASE ${database}`)
  await on.sql(database, tables)
  const resource = aResource({ type: 'postgresql', location: on.url(database), mode: 'transaction' })
  const strategy = databaseStrategy(resource, await temporaryFolder())
  strategies.push(strategy)
  return { database, strategy, resource }
}

async function shop(on: PostgresServer) {
  const { database, strategy } = await fresh(on)
  const sandbox = expectOk(await strategy.open({ planId, projectRoot: '/nowhere' }, never))
  opened.push(sandbox)
  return {
    sandbox,
    strategy,
    sql: (text: string) => on.sql(database, text),
    change: async (text: string) => expectOk(await sandbox.change(statement(text))),
    record: async () => expectOk(await sandbox.checkpoint('work', 'unknown')),
  }
}

if (server) {
  describeSandboxContract(
    { name: 'transaction_rollback', restores: 'while_open', place: 'beside' },
    async () => {
      const { database, strategy } = await fresh(server)
      const read = 'SELECT value FROM content'
      return {
        strategy,
        projectRoot: '/nowhere',
        change: async (sandbox, content) => {
          const text = 'UPDATE content SET value = $1'
          expectOk(await (sandbox as DatabaseSandbox).change(statement(text, content)))
        },
        read: async sandbox =>
          Number(expectOk(await (sandbox as DatabaseSandbox).query(statement(read))).rows[0]?.[0]),
        changeOriginal: async content =>
          void (await server.sql(database, `UPDATE content SET value = ${content}`)),
        readOriginal: async () => Number((await server.sql(database, read))[0]),
      }
    },
  )
}

describe.skipIf(server === null)('a PostgreSQL database', () => {
  let on: PostgresServer
  beforeAll(() => {
    if (server) on = server
  })

  test('shows rows and tables that the plan changed, commits them, and others see them then', async () => {
    const { sandbox, sql, change, record } = await shop(on)
    await change("UPDATE users SET name = 'Anna' WHERE id = 1")
    await change("INSERT INTO users (name) VALUES ('Dan')")
    await change('CREATE TABLE notes (id int PRIMARY KEY, text text)')
    await change("INSERT INTO notes VALUES (1, 'it''s')")

    const state = await record()

    expect(await sql('SELECT name FROM users ORDER BY id')).toEqual(['Ann', 'Ben'])
    const files = expectOk(await sandbox.changes(sandbox.baseline, state)).files
    expect(files.map(file => `${file.path} ${file.status} +${file.additions} -${file.deletions}`)).toEqual([
      'shop-db/notes added +2 -0',
      'shop-db/users modified +2 -1',
    ])
    const patch = Buffer.from(expectOk(await sandbox.patch(sandbox.baseline, state))).toString()
    expect(patch).toContain("-(1, 'Ann', 'ann@x')\n")
    expect(patch).toContain("+(1, 'it''s')\n")
    expect(expectOk(await sandbox.apply(all(sandbox, state), never)).outcome).toBe('applied')
    expect(await sql('SELECT name FROM users ORDER BY id')).toEqual(['Anna', 'Ben', 'Dan'])
  })

  test('goes on after an error of a statement, and takes back what a query wrote', async () => {
    const { sandbox, change, record } = await shop(on)

    const wrong = await sandbox.change(statement('SELECT * FROM nothing'))
    const writing = await sandbox.query(statement('DELETE FROM users'))
    await change("UPDATE users SET name = 'Anna' WHERE id = 1")
    const counted = expectOk(await sandbox.query(statement('SELECT count(*), max(name) FROM users')))

    expect(wrong).toMatchObject({ ok: false, failure: { code: 'invalid_input' } })
    expect(writing).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('change_database') },
    })
    expect(counted).toMatchObject({ columns: ['count', 'max'], rows: [[2, 'Ben']], written: [] })
    expect(await record()).not.toBe(sandbox.baseline)
  })

  test('a row that somebody else changed meanwhile is a conflict, not overwritten', async () => {
    const { sandbox, sql } = await shop(on)
    expectOk(await sandbox.query(statement('SELECT 1')))
    await sql("UPDATE users SET name = 'theirs' WHERE id = 1")

    const refused = await sandbox.change(statement("UPDATE users SET name = 'ours' WHERE id = 1"))

    expect(refused).toMatchObject({ ok: false, failure: { code: 'conflict' } })
    expect(await sql('SELECT name FROM users WHERE id = 1')).toEqual(['theirs'])
  })

  test('a rule that is only looked at in the end is a conflict before anything is committed', async () => {
    const { sandbox, sql, change, record } = await shop(on)
    await change("INSERT INTO users (name, mail) VALUES ('twin', 'ann@x')")

    const report = expectOk(await sandbox.apply(all(sandbox, await record()), never))

    expect(report.outcome).toBe('constrained')
    expect(await sql('SELECT count(*) FROM users')).toEqual(['2'])
  })

  test.each([
    ['COMMIT', 'transactions belong to the plan'],
    ['-- a word\n ROLLBACK', 'transactions belong to the plan'],
    ['SET idle_in_transaction_session_timeout = 1', 'SET is not allowed'],
    ['VACUUM', 'cannot run inside a transaction block'],
    ['CREATE DATABASE other', 'cannot run inside a transaction block'],
    ['SELECT 1; COMMIT', 'multiple commands'],
  ])('%j is refused in words, and the transaction goes on', async (text, words) => {
    const { sandbox, change } = await shop(on)
    await change("UPDATE users SET name = 'Anna' WHERE id = 1")

    const refused = await sandbox.change(statement(text))

    expect(refused).toMatchObject({ ok: false, failure: { message: expect.stringContaining(words) } })
    const names = expectOk(await sandbox.query(statement('SELECT name FROM users WHERE id = 1'))).rows
    expect(names).toEqual([['Anna']])
  })

  test('a connection that the server ends is named, its work is gone, and it can be begun again', async () => {
    const { sandbox, sql, change, record } = await shop(on)
    await change("UPDATE users SET name = 'Anna' WHERE id = 1")
    const state = await record()
    await sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cleveragents' AND datname = current_database()",
    )

    const refused = await sandbox.change(statement('DELETE FROM users'))
    const applied = await sandbox.apply(all(sandbox, state), never)

    expect([refused.ok, applied.ok]).toEqual([false, false])
    expect(!applied.ok && applied.failure.message).toContain('transaction of the database shop-db is gone')
    expect(await sql('SELECT name FROM users ORDER BY id')).toEqual(['Ann', 'Ben'])
    expectOk(await sandbox.restore(sandbox.baseline))
    await change("UPDATE users SET name = 'Anne' WHERE id = 1")
    expect(expectOk(await sandbox.apply(all(sandbox, await record()), never)).outcome).toBe('applied')
    expect(await sql('SELECT name FROM users WHERE id = 1')).toEqual(['Anne'])
  })
})

test('a server that is not there is reported as not available, without a password', async () => {
  const location = `postgresql://ada@localhost:1/shop?host=${await temporaryFolder()}`
  const strategy = databaseStrategy(
    aResource({ type: 'postgresql', location, mode: 'transaction' }),
    await temporaryFolder(),
  )

  const reason = await strategy.unavailable({ planId, projectRoot: '/nowhere' }, never)

  expect(reason?.reason).toContain('The database shop-db')
})

describe('the password', () => {
  const shopServer = { host: 'db.example', port: 5432, user: 'ada', database: 'shop' }

  test('comes from the line of the password file that fits first', () => {
    const file = '# hosts\nother:*:*:*:no\ndb.example:5432:*:bob:no\n*:5432:shop:ada:a\\:b\\\\c\n*:*:*:*:last'
    expect(passwordIn(file, shopServer)).toBe('a:b\\c')
    expect(passwordIn(file, { ...shopServer, port: 1 })).toBe('last')
    expect(passwordIn('', shopServer)).toBeNull()
  })

  test('comes from the environment first, and from no file that others can read', async () => {
    const file = join(await temporaryFolder(), 'pgpass')
    await writeFile(file, '*:*:*:*:filed', { mode: 0o600 })
    const environment = { PGPASSFILE: file }
    expect(await findPassword(shopServer, { ...environment, PGPASSWORD: 'given' })).toBe('given')
    expect(await findPassword(shopServer, environment)).toBe('filed')
    await chmod(file, 0o644)
    expect(await findPassword(shopServer, environment)).toBeNull()
  })
})
