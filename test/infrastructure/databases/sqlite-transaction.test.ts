import { expect, test } from 'vitest'
import type { Resource } from '../../../src/domain/resource.ts'
import { transactionStatesIn } from '../../../src/infrastructure/databases/transaction-states.ts'
import {
  databaseStrategy,
  makeDatabase,
  shopTables,
  sqliteResource,
  statement,
} from '../../support/database.ts'
import { expectOk } from '../../support/result.ts'
import { all, chosen, never, planId } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function shop(sql = `PRAGMA journal_mode = WAL; ${shopTables}`) {
  const user = await makeDatabase(sql)
  const stateDir = await temporaryFolder()
  const resource: Resource = sqliteResource(user.file, 'transaction')
  const strategy = databaseStrategy(resource, stateDir)
  const open = async (other = strategy) =>
    expectOk(await other.open({ planId, projectRoot: '/nowhere' }, never))
  const sandbox = await open()
  return {
    user,
    stateDir,
    resource,
    strategy,
    open,
    sandbox,
    change: async (text: string) => expectOk(await sandbox.change(statement(text))),
    record: async () => expectOk(await sandbox.checkpoint('work', 'unknown')),
  }
}

test('a database without a write-ahead log is refused with the ways out', async () => {
  const { strategy, sandbox } = await shop(shopTables)

  const reason = await strategy.unavailable({ planId, projectRoot: '/nowhere' }, never)
  const refused = await sandbox.change(statement('DELETE FROM orders'))

  expect(reason?.reason).toContain('PRAGMA journal_mode = WAL')
  expect(refused).toMatchObject({ ok: false, failure: { message: expect.stringContaining('--mode copy') } })
})

test('others read the old state and wait to write; the commit is the apply', async () => {
  const { user, sandbox, change, record } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  await change('CREATE TABLE notes (text)')

  expect(user.rows('SELECT name FROM users WHERE id = 1')).toEqual([['Ann']])
  expect(() => user.exec('PRAGMA busy_timeout = 0; DELETE FROM orders')).toThrow('locked')
  const state = await record()
  const files = expectOk(await sandbox.changes(sandbox.baseline, state)).files
  expect(files.map(file => `${file.path} +${file.additions} -${file.deletions}`)).toEqual([
    'shop-db/notes +1 -0',
    'shop-db/users +1 -1',
  ])

  expect(expectOk(await sandbox.apply(all(sandbox, state), never))).toMatchObject({ outcome: 'applied' })

  expect(user.rows('SELECT name FROM users WHERE id = 1')).toEqual([['Anna']])
  user.exec('DELETE FROM orders')
})

test('a statement that ends the transaction loses its work, says so, and the work can be begun again', async () => {
  const { user, sandbox, change, record } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  const state = await record()

  const ended = await sandbox.change(
    statement("INSERT OR ROLLBACK INTO users (id, name) VALUES (1, 'again')"),
  )
  const after = await sandbox.apply(all(sandbox, state), never)

  for (const refused of [ended, after])
    expect(refused).toMatchObject({
      ok: false,
      failure: {
        code: 'sandbox_failed',
        message: expect.stringContaining('transaction of the database shop-db is gone'),
      },
    })
  expect(user.rows('SELECT name FROM users WHERE id = 1')).toEqual([['Ann']])
  expectOk(await sandbox.restore(sandbox.baseline))
  await change("UPDATE users SET name = 'Anne' WHERE id = 1")
  expect(expectOk(await sandbox.apply(all(sandbox, await record()), never)).outcome).toBe('applied')
  expect(user.rows('SELECT name FROM users WHERE id = 1')).toEqual([['Anne']])
})

test('after a start of the program the work is gone and named, and what it was can still be read', async () => {
  const { strategy, stateDir, resource, open, sandbox, change, record } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  const state = await record()
  await strategy.release(planId)

  const again = await open(databaseStrategy(resource, stateDir))

  const refused = await again.restore(state)
  expect(refused).toMatchObject({ ok: false, failure: { code: 'sandbox_failed' } })
  expect(!refused.ok && refused.failure.message).toContain('it ended with the program that held it')
  expect(expectOk(await again.changes(sandbox.baseline, state)).files).toHaveLength(1)
  expectOk(await again.restore(again.baseline))
  expect(expectOk(await again.query(statement('SELECT name FROM users WHERE id = 1'))).rows).toEqual([
    ['Ann'],
  ])
})

test('made anew, what the transaction before had changed can still be read and not returned to', async () => {
  const { user, strategy, open, change, record } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  const before = await record()

  await strategy.renew(planId)
  user.exec('DELETE FROM orders')
  const anew = await open()

  expect(expectOk(await anew.changes(anew.baseline, before)).files.map(({ path }) => path)).toEqual([
    'shop-db/users',
  ])
  expect(await anew.restore(before)).toMatchObject({ ok: false, failure: { code: 'not_found' } })
})

test('its tables are applied together or not at all', async () => {
  const { user, sandbox, change, record } = await shop()
  await change("UPDATE users SET name = 'Anna' WHERE id = 1")
  await change('DELETE FROM orders')

  const refused = await sandbox.apply(chosen(sandbox, await record(), ['shop-db/users' as never]), never)

  expect(refused).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('all of its tables or none') },
  })
  expect(user.rows('SELECT count(*) FROM orders')).toEqual([[2]])
})

test('a restore forgets what came later and says so beforehand', async () => {
  const { sandbox, change, record } = await shop()
  await change("UPDATE users SET name = 'one' WHERE id = 1")
  const first = await record()
  await change("UPDATE users SET name = 'two' WHERE id = 1")
  const second = await record()
  const about = { scope: { kind: 'all' } as const, since: '2026-01-01T00:00:00Z' }

  const preview = expectOk(await sandbox.previewRestore(first, about))
  const report = expectOk(await sandbox.restore(first))

  expect(preview.restored).toEqual([{ path: 'shop-db/users', how: 'rewritten' }])
  expect(preview.cannotRestore.map(each => each.why).join()).toContain('cannot go forward')
  expect(report).toEqual({ restored: ['shop-db/users'], removed: [] })
  expect(await sandbox.restore(second)).toMatchObject({ ok: false, failure: { code: 'not_found' } })
})

test.each([
  [
    'cannot be told',
    'INSERT INTO loose VALUES (2)',
    'cannot be told from the database. Look at shop-db/loose',
    true,
  ],
  ['did not happen', 'DELETE FROM orders', 'it ended with the program that held it', false],
])('after a kill in the moment of the commit it is said that it %s', async (_what, sql, words, isUnsure) => {
  const { strategy, stateDir, resource, open, sandbox, change, record } = await shop(
    `PRAGMA journal_mode = WAL; ${shopTables} CREATE TABLE loose (x)`,
  )
  await change(sql)
  const state = await record()
  await strategy.release(planId)
  const states = transactionStatesIn(sandbox.root)
  const known = await states.read()
  if (known === null) throw new Error('no record')
  await states.write({ ...known, committing: state })

  const again = await open(databaseStrategy(resource, stateDir))
  const refused = await again.apply(all(again, state), never)

  expect(refused).toMatchObject({ ok: false, failure: { message: expect.stringContaining(words) } })
  const back = { from: state, to: again.baseline, choice: { kind: 'all' } } as const
  const takenBack = expectOk(await again.apply(back, never))
  expect(takenBack).toMatchObject({ written: [], left: isUnsure ? [{ path: 'shop-db/loose' }] : [] })
  expectOk(await again.restore(again.baseline))
})
