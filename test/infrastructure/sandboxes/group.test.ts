import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ok, refuse } from '../../../src/domain/failure.ts'
import type { Resource } from '../../../src/domain/resource.ts'
import type { Databases } from '../../../src/domain/sandbox/database.ts'
import { decodeGroupState } from '../../../src/domain/sandbox/group-state.ts'
import type { ApplyChoice, Sandbox } from '../../../src/domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../../../src/infrastructure/databases/database-sandbox.ts'
import { keepRecord } from '../../../src/infrastructure/sandboxes/group/record.ts'
import { sandboxGroup } from '../../../src/infrastructure/sandboxes/group/sandbox-group.ts'
import type { DatabaseStrategy } from '../../../src/infrastructure/sandboxes/transaction-rollback.ts'
import {
  databaseStrategy,
  makeDatabase,
  shopTables,
  sqliteResource,
  statement,
} from '../../support/database.ts'
import { makeRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, checkpoint, never, otherPlanId, planId, strategyNamed } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A plan that changed a file and a row, and waits before Apply. */
async function work(mode: Resource['mode'], place: 'elsewhere' | 'inside' = 'elsewhere') {
  const repository = await makeRepository({ files: { 'a.txt': 'one\n' } })
  const inside = place === 'inside' ? join(repository.root, 'data/shop.db') : undefined
  const user = await makeDatabase(`PRAGMA journal_mode = WAL; ${shopTables}`, inside)
  const folder = await strategyNamed('git_worktree')
  const database = databaseStrategy(sqliteResource(user.file, mode), folder.stateDir)
  const open = async (strategy: typeof folder | ReturnType<typeof sandboxGroup>) =>
    expectOk(await strategy.open({ planId, projectRoot: repository.root }, never))
  const group = await open(sandboxGroup(folder.stateDir, folder, [database]))
  await writeFile(join(group.root, 'a.txt'), 'two\n')
  expectOk(
    await databasesOf(group).change('shop-db', statement("UPDATE users SET name = 'Anna' WHERE id = 1")),
  )
  const state = await checkpoint(group)
  return { repository, user, folder, database, open, group, state }
}

function databasesOf({ databases }: Sandbox): Databases {
  if (databases === null) throw new Error('no databases')
  return databases
}

/** As a process leaves it that is killed between the files and the database. */
async function cutBeforeDatabase(
  { folder, open, group, state }: Awaited<ReturnType<typeof work>>,
  choice: ApplyChoice = { kind: 'all' },
) {
  const recordFile = join(folder.stateDir, 'plans', planId, 'databases', 'apply.json')
  const files = await open(folder)
  const to = decodeGroupState(state).folder
  const report = expectOk(await files.apply(all(files, to), never))
  if (report.outcome !== 'applied') throw new Error(report.outcome)
  const record = {
    startedAt: '2026-01-01T00:00:00Z',
    request: { ...all(group, state), choice },
    files: report,
    undoTo: {},
    undoing: null,
  }
  await keepRecord(recordFile, record, {}).change({})
}

const name = 'SELECT name FROM users WHERE id = 1'

test.each(['open', 'lost'] as const)(
  'the files of an apply that was cut before its commit can be put back with the transaction %s',
  async transaction => {
    const cut = await work('transaction')
    await cutBeforeDatabase(cut)
    if (transaction === 'lost') await cut.database.release(planId)

    const undone = expectOk(await cut.group.settleApply('undo', never))

    expect(undone).toEqual({ outcome: 'undone', restored: ['a.txt'], left: [] })
    expect(await read(cut)).toBe('one\n')
    expect(cut.user.rows(name)).toEqual([['Ann']])
    expect(await cut.group.unfinishedApply()).toBe(null)
  },
)

test('the files of chosen hunks can be put back, too', async () => {
  const cut = await work('copy')
  const patch = expectOk(await cut.group.patch(cut.group.baseline, cut.state))
  await cutBeforeDatabase(cut, { kind: 'hunks', patch })

  const undone = expectOk(await cut.group.settleApply('undo', never))

  expect(undone).toEqual({ outcome: 'undone', restored: ['a.txt'], left: [] })
  expect(await read(cut)).toBe('one\n')
})

test('an undo leaves what the user had already changed in the same way, files and rows', async () => {
  const cut = await work('copy')
  await writeFile(join(cut.group.root, 'b.txt'), 'new\n')
  const change = (text: string) => databasesOf(cut.group).change('shop-db', statement(text))
  expectOk(await change("UPDATE users SET name = 'Benno' WHERE id = 2"))
  const state = await checkpoint(cut.group)
  await writeFile(join(cut.repository.root, 'a.txt'), 'two\n')
  cut.user.exec("UPDATE users SET name = 'Anna' WHERE id = 1")
  const stopping = await cutAfterDatabase(cut)

  expect(await stopping.apply(all(cut.group, state), never)).toMatchObject({ ok: false })
  const undone = expectOk(await cut.group.settleApply('undo', never))

  expect(undone).toEqual({ outcome: 'undone', restored: ['b.txt', 'shop-db/users'], left: [] })
  expect(await read(cut)).toBe('two\n')
  expect(cut.user.rows('SELECT name FROM users WHERE id < 3')).toEqual([['Anna'], ['Ben']])
})

test('what the user changed after the files were applied stays theirs, whichever way the apply is settled', async () => {
  const cuts = [await work('copy'), await work('copy')] as const
  for (const cut of cuts) {
    await cutBeforeDatabase(cut)
    await writeFile(join(cut.repository.root, 'a.txt'), 'mine\n')
  }

  const undone = expectOk(await cuts[0].group.settleApply('undo', never))
  const finished = expectOk(await cuts[1].group.settleApply('finish', never))

  expect(undone).toMatchObject({
    outcome: 'undone',
    restored: [],
    left: [{ path: 'a.txt', kind: 'content' }],
  })
  expect(finished).toMatchObject({ outcome: 'applied', written: ['a.txt', 'shop-db/users'], left: [] })
  expect([await read(cuts[0]), await read(cuts[1])]).toEqual(['mine\n', 'mine\n'])
  expect([cuts[0].user.rows(name), cuts[1].user.rows(name)]).toEqual([[['Ann']], [['Anna']]])
})

/** The commit happens, and the apply does not get to its end. */
async function cutAfterDatabase({ folder, database, open }: Awaited<ReturnType<typeof work>>) {
  const cut: DatabaseStrategy['open'] = async (spec, signal) => {
    const opened = expectOk(await database.open(spec, signal))
    const apply: DatabaseSandbox['apply'] = async (request, signal) => {
      expectOk(await opened.apply(request, signal))
      return refuse('interrupted', 'The program was ended.')
    }
    return ok({ ...opened, apply })
  }
  return open(sandboxGroup(folder.stateDir, folder, [{ ...database, open: cut }]))
}

test('an apply that is refused before its first write leaves nothing to settle', async () => {
  const waiting = await work('copy')
  const { group, state } = waiting

  const refused = await group.apply(all(group, state), AbortSignal.abort())

  expect(refused).toMatchObject({ ok: false, failure: { code: 'interrupted' } })
  expect(await read(waiting)).toBe('one\n')
  expect(await group.unfinishedApply()).toBe(null)
})

test("looking at the user's files does not take applied rows for an edit of theirs", async () => {
  const waiting = await work('copy')
  const { group, state } = waiting
  const report = expectOk(await group.apply(all(group, state), never))
  if (report.outcome !== 'applied') throw new Error(report.outcome)
  await writeFile(join(waiting.repository.root, 'b.txt'), 'mine\n')

  const captured = expectOk(await group.captureProject(report.state))

  if (captured === null) throw new Error('not captured')
  const edits = expectOk(await group.changes(report.state, captured))
  expect(edits.files.map(file => file.path)).toEqual(['b.txt'])
})

test('a deleted folder with a database in it comes back as it was recorded, rows included', async () => {
  const { folder, database, open, group, state } = await work('copy', 'inside')
  await group.close()
  await rm(group.root, { recursive: true })
  const again = await open(sandboxGroup(folder.stateDir, folder, [database]))
  const about = { scope: { kind: 'all' } as const, since: '2026-01-01T00:00:00Z' }

  expect(await databasesOf(again).query('shop-db', statement(name))).toMatchObject({ ok: false })
  const preview = expectOk(await again.previewRestore(state, about))
  expectOk(await again.restore(state))

  expect(preview.restored).toContainEqual({ path: 'shop-db', how: 'brought_back' })
  expect(await readFile(join(again.root, 'a.txt'), 'utf8')).toBe('two\n')
  expect(expectOk(await databasesOf(again).query('shop-db', statement(name))).rows).toEqual([['Anna']])
  expect(await checkpoint(again)).toBe(state)
})

test('a plan with an unfinished apply is not discarded, and keeps the states of its databases', async () => {
  const cut = await work('copy')
  await cutBeforeDatabase(cut)
  const strategy = sandboxGroup(cut.folder.stateDir, cut.folder, [cut.database])

  await expect(strategy.discard(planId)).rejects.toThrow('interrupted half-way')

  expect(expectOk(await cut.group.settleApply('undo', never))).toMatchObject({ restored: ['a.txt'] })
  await strategy.discard(planId)
})

test.each(['copy', 'transaction'] as const)(
  'made anew with a database by %s, files and rows from before are compared and not returned to',
  async mode => {
    const { folder, database, open, group, state } = await work(mode)
    await group.close()
    const strategy = sandboxGroup(folder.stateDir, folder, [database])

    await strategy.renew(planId)
    await strategy.renew(planId)
    const anew = await open(strategy)

    const { files } = expectOk(await anew.changes(anew.baseline, state))
    expect(files.map(file => file.path)).toEqual(['a.txt', 'shop-db/users'])
    expect(await anew.restore(state)).toMatchObject({ ok: false, failure: { code: 'not_found' } })
  },
)

test('a database that cannot be recorded before a restore ends it with everything as it was', async () => {
  const { group, state, folder, database, open } = await work('copy')
  const full = refuse('disk_full', 'The disk is full.')
  const broken = { ...database, open: failing(database, { checkpoint: async () => full }) }
  const again = await open(sandboxGroup(folder.stateDir, folder, [broken]))

  const refused = await again.restore(group.baseline)

  expect(refused).toMatchObject({ ok: false, failure: { code: 'disk_full' } })
  expect(await readFile(join(group.root, 'a.txt'), 'utf8')).toBe('two\n')
  expect(await checkpoint(group)).toBe(state)
})

test('a merge that a database ends leaves the files as they were', async () => {
  const { group, state, folder, database, open } = await work('copy')
  expectOk(await group.restore(group.baseline))
  const full = refuse('disk_full', 'The disk is full.')
  const broken = { ...database, open: failing(database, { merge: async () => full }) }
  const again = await open(sandboxGroup(folder.stateDir, folder, [broken]))

  const refused = await again.merge({ planId, from: group.baseline, to: state }, never)

  expect(refused).toMatchObject({ ok: false, failure: { code: 'disk_full' } })
  expect(await readFile(join(group.root, 'a.txt'), 'utf8')).toBe('one\n')
  expect(await checkpoint(group)).toBe(group.baseline)
})

test('an overlay is refused beforehand where a database lies inside the project, with what comes nearest', async () => {
  const projectRoot = await temporaryFolder()
  const overlay = await strategyNamed('overlay')
  const inside = databaseStrategy(sqliteResource(join(projectRoot, 'shop.db'), 'copy'), overlay.stateDir)

  const against = await sandboxGroup(overlay.stateDir, overlay, [inside]).unavailable(
    { planId, projectRoot },
    never,
  )

  expect(against).toMatchObject({
    reason: expect.stringContaining('shop.db lies inside the project'),
    nextBest: 'filesystem_copy',
  })
})

/** The database itself, with a verb that fails as it does where the disk is full. */
function failing(database: DatabaseStrategy, verbs: Partial<DatabaseSandbox>): DatabaseStrategy['open'] {
  return async (spec, signal) => {
    const opened = await database.open(spec, signal)
    return opened.ok ? ok({ ...opened.value, ...verbs }) : opened
  }
}

function read({ repository }: Awaited<ReturnType<typeof work>>): Promise<string> {
  return readFile(join(repository.root, 'a.txt'), 'utf8')
}

test('work is laid on another state in all parts, or in none of them', async () => {
  const { group, state } = await work('copy')
  const { baseline } = group
  const change = (text: string) => databasesOf(group).change('shop-db', statement(text))
  await writeFile(join(group.root, 'b.txt'), 'later\n')
  expectOk(await change("UPDATE users SET name = 'Benno' WHERE id = 2"))
  const later = await checkpoint(group)
  await writeFile(join(group.root, 'a.txt'), 'three\n')
  expectOk(await change("UPDATE users SET name = 'Annika' WHERE id = 1"))
  const last = await checkpoint(group)

  const kept = expectOk(await group.replay(baseline, { from: state, to: later }))
  const met = expectOk(await group.replay(baseline, { from: later, to: last }))

  if (kept.outcome !== 'merged') throw new Error('expected no conflict')
  const { files } = expectOk(await group.changes(baseline, kept.state))
  expect(files.map(file => file.path)).toEqual(['b.txt', 'shop-db/users'])
  expect(met).toMatchObject({
    outcome: 'constrained',
    conflicts: [{ path: 'a.txt' }, { path: 'shop-db/users' }],
  })
  expectOk(await group.restore(kept.state))
  expect(await namesIn(group)).toEqual([['Ann'], ['Benno']])
})

test('a child begins with the rows and files of a state of its parent, and both are merged back', async () => {
  const { group, state, repository, folder, database } = await work('copy')
  const change = (sandbox: Sandbox, text: string) =>
    databasesOf(sandbox).change('shop-db', statement(text)).then(expectOk)
  await change(group, "UPDATE users SET name = 'Annika' WHERE id = 1")
  const later = await checkpoint(group)
  const strategy = sandboxGroup(folder.stateDir, folder, [database])
  const startsFrom = { planId, state }
  const child = expectOk(
    await strategy.open({ planId: otherPlanId, projectRoot: repository.root, startsFrom }, never),
  )
  const began = await namesIn(child)
  await change(child, "UPDATE users SET name = 'Benno' WHERE id = 2")
  await writeFile(join(child.root, 'b.txt'), 'child\n')
  const done = await checkpoint(child)

  const source = { planId: otherPlanId, from: child.baseline, to: done }
  const merged = expectOk(await group.merge(source, never))

  expect(began).toEqual([['Anna'], ['Ben']])
  expect(await readFile(join(child.root, 'a.txt'), 'utf8')).toBe('two\n')
  expect(merged).toMatchObject({ outcome: 'merged', written: ['b.txt', 'shop-db/users'] })
  expect(await namesIn(group)).toEqual([['Annika'], ['Benno']])
  const received = expectOk(await group.receive({ planId: otherPlanId, state: done }))
  const { files } = expectOk(await group.changes(later, received))
  expect(files.map(file => file.path)).toEqual(['b.txt', 'shop-db/users'])
  await child.close()
})

test.each([
  { onConflict: 'refuse', names: [['Annika'], ['Ben']], outcome: 'constrained' },
  { onConflict: 'take_theirs', names: [['Child'], ['Benno']], outcome: 'merged' },
  { onConflict: 'keep_ours', names: [['Annika'], ['Benno']], outcome: 'merged' },
] as const)('rows that a child and its parent both changed are met by $onConflict', async wanted => {
  const { group, state, repository, folder, database } = await work('copy')
  const change = (sandbox: Sandbox, text: string) =>
    databasesOf(sandbox).change('shop-db', statement(text)).then(expectOk)
  const strategy = sandboxGroup(folder.stateDir, folder, [database])
  const startsFrom = { planId, state }
  const child = expectOk(
    await strategy.open({ planId: otherPlanId, projectRoot: repository.root, startsFrom }, never),
  )
  await change(child, "UPDATE users SET name = 'Child' WHERE id = 1")
  await change(child, "UPDATE users SET name = 'Benno' WHERE id = 2")
  await writeFile(join(child.root, 'a.txt'), 'child\n')
  const to = await checkpoint(child)
  await change(group, "UPDATE users SET name = 'Annika' WHERE id = 1")
  await writeFile(join(group.root, 'a.txt'), 'parent\n')

  const { onConflict } = wanted
  const report = expectOk(
    await group.merge({ planId: otherPlanId, from: child.baseline, to, onConflict }, never),
  )

  expect(report.outcome).toBe(wanted.outcome)
  const met = report.outcome === 'merged' ? report.decided : report.conflicts.map(each => each.path)
  expect(met).toEqual(['a.txt', 'shop-db/users'])
  expect(await namesIn(group)).toEqual(wanted.names)
  await child.close()
})

test('a child is refused a database in which its parent has an open transaction', async () => {
  const { state, repository, folder, database } = await work('transaction')
  const strategy = sandboxGroup(folder.stateDir, folder, [database])
  const spec = { planId: otherPlanId, projectRoot: repository.root, startsFrom: { planId, state } }
  const child = expectOk(await strategy.open(spec, never))

  const refused = await databasesOf(child).query('shop-db', statement(name))

  expect(refused).toMatchObject({
    ok: false,
    failure: { code: 'not_available', message: expect.stringContaining('child plan cannot work') },
  })
  await child.close()
})

async function namesIn(sandbox: Sandbox) {
  const text = 'SELECT name FROM users WHERE id < 3 ORDER BY id'
  return expectOk(await databasesOf(sandbox).query('shop-db', statement(text))).rows
}
