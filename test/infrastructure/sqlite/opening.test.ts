import { copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Decision } from '../../../src/domain/decision/decision.ts'
import { FailureError } from '../../../src/domain/failure.ts'
import type { PlanId } from '../../../src/domain/ids.ts'
import type { Step } from '../../../src/domain/plan/journal.ts'
import type { RelPath } from '../../../src/domain/sandbox/rel-path.ts'
import type { SandboxState } from '../../../src/domain/sandbox/strategy.ts'
import { openStore } from '../../../src/infrastructure/sqlite/store.ts'
import { assetFolder } from '../../../src/infrastructure/system/asset.ts'
import { systemClock } from '../../../src/infrastructure/system/clock.ts'
import { createIdSource } from '../../../src/infrastructure/system/ids.ts'
import {
  aCheckpoint,
  aCorrection,
  aCursor,
  aDecision,
  aPlan,
  aResource,
  aStep,
} from '../../support/records.ts'
import { openTestStore } from '../../support/store.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let dataDir: string
let file: string

beforeEach(async () => {
  dataDir = join(await temporaryFolder(), 'deep', 'data')
  file = join(dataDir, 'store.db')
})

describe('a new store', () => {
  test('is made for its owner only', async () => {
    storePlan()
    const modes = [dataDir, file, `${file}-wal`].map(async path => (await stat(path)).mode & 0o777)
    expect(await Promise.all(modes)).toEqual([0o700, 0o600, 0o600])
  })

  test('is still there when it is opened again', () => {
    const planId = storePlan()
    expect(openTestStore({ dataDir }).plans.find(planId)?.planId).toBe(planId)
  })
})

describe('a store of a newer program', () => {
  test('is refused untouched, naming both versions', async () => {
    makeNewer()
    const before = await contentOf(file)
    const refused = tryOpen()
    expect(refused).toMatchObject({ code: 'store_newer', facts: { file, found: 99 } })
    expect(refused?.message).toMatch(/version 99.*up to \d+\b/)
    expect(await contentOf(file)).toEqual(before)
  })

  test('is refused although its header still names the old version', async () => {
    openTestStore({ dataDir }).close()
    const newer = new SQLite(file)
    newer.pragma('user_version = 99')
    const before = await contentOf(file)
    expect(before.bytes.readUInt32BE(60)).toBeLessThan(99)
    expect(tryOpen()).toMatchObject({ code: 'store_newer', facts: { found: 99 } })
    expect(await contentOf(file)).toEqual(before)
    newer.close()
  })

  test('is not written by a program that had it open before the upgrade', () => {
    const store = openTestStore({ dataDir })
    makeNewer()
    const plan = aPlan()
    const write = () => store.transaction(() => store.plans.insert(plan))
    expect(write).toThrow(FailureError)
    expect(write).toThrow(/version 99/)
    expect(() => store.plans.insert(plan)).toThrow(/version 99/)
    expect(store.plans.find(plan.planId)).toBeNull()
  })
})

describe('a damaged store', () => {
  test.each(['not a database, not at all', 'SQLite format 3\0 but nothing more'])(
    'is refused as it is: %j',
    async text => {
      openTestStore({ dataDir }).close()
      await writeFile(file, text)
      expect(tryOpen()).toMatchObject({ code: 'store_damaged', facts: { file } })
      expect(await readFile(file, 'utf8')).toBe(text)
    },
  )

  test('is refused when its pages are torn', async () => {
    openTestStore({ dataDir }).close()
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill(0xa5, 100))
    expect(tryOpen()).toMatchObject({ code: 'store_damaged' })
  })

  test('is refused when only its beginning is left', async () => {
    openTestStore({ dataDir }).close()
    await truncate(file, 50)
    expect(tryOpen()).toMatchObject({ code: 'store_damaged' })
    expect((await stat(file)).size).toBe(50)
  })
})

describe('a store of an older program', () => {
  const REWRITE = "-- rewrites data\nUPDATE plans SET name = name || '-migrated';\n"

  test('is upgraded, and kept as it was beside it where rows are rewritten', async () => {
    const planId = storePlan('local/x', await migrationsWith())
    const migrationsFolder = await migrationsWith(REWRITE)
    expect(openTestStore({ dataDir, migrationsFolder }).plans.find(planId)?.name).toBe('local/x-migrated')
    const backup = new SQLite(`${file}.version-1`, { readonly: true })
    expect(backup.pragma('user_version', { simple: true })).toBe(1)
    expect(backup.prepare('SELECT name FROM plans').pluck().all()).toEqual(['local/x'])
    backup.close()
    expect(tryOpen(await migrationsWith())).toMatchObject({
      code: 'store_newer',
      facts: { found: 2, known: 1 },
    })
  })

  test('is upgraded without a copy where only tables are added', async () => {
    const planId = storePlan('local/x', await migrationsWith())
    const migrationsFolder = await migrationsWith('CREATE TABLE more (x TEXT) STRICT;\n')
    expect(openTestStore({ dataDir, migrationsFolder }).plans.find(planId)?.planId).toBe(planId)
    await expect(stat(`${file}.version-1`)).rejects.toThrow('ENOENT')
  })

  test.each([
    ['fails half-way', `${REWRITE}UPDATE nothing SET x = 1;\n`],
    ['leaves references that lead nowhere', `${REWRITE}UPDATE plans SET root_plan_id = 'nobody';\n`],
  ])('stays as it was when the upgrade %s', async (_, sql) => {
    const first = await migrationsWith()
    const planId = storePlan('local/x', first)
    const migrationsFolder = await migrationsWith(sql)
    expect(() => tryOpen(migrationsFolder)).toThrow()
    await expect(stat(`${file}.trial`)).rejects.toThrow('ENOENT')
    expect(openTestStore({ dataDir, migrationsFolder: first }).plans.find(planId)?.name).toBe('local/x')
  })

  test('of before the writers of paths were looked up gets them from the journal', async () => {
    const migrationsFolder = await migrationsUpTo(4)
    const planId = storePlan('local/x', migrationsFolder)
    const store = openTestStore({ dataDir, migrationsFolder })
    const [one, two] = [1, 2].map(number => {
      const decision = aDecision({ planId, number })
      store.decisions.insert(decision)
      return decision.decisionId
    })
    const path = 'a.ts' as RelPath // a plain one is its own text form
    const step = (decisionId: Decision['decisionId'] | undefined, more: Partial<Step>) =>
      store.steps.insert(aStep({ planId, decisionId: decisionId ?? null, read: [], written: [], ...more }))
    step(one, { written: [path] })
    step(undefined, { written: [path] })
    step(two, { written: [path], kind: 'restore' })
    step(one, { read: 'unknown', written: 'unknown' })
    store.close()

    const { writes } = openTestStore({ dataDir })

    expect(writes.lastWriter(planId, path)).toBe(one)
    expect(writes.beforeCommand(planId)).toEqual({ last: one, since: [] })
  })

  test('of before the line of work was kept gets it from the checkpoints of the decisions', async () => {
    const planId = storePlan('local/x', await migrationsUpTo(2))
    const store = openTestStore({ dataDir, migrationsFolder: await migrationsUpTo(2) })
    const state = (name: string) => name as SandboxState // any text is a state to the store
    const checkpoint = (name: string) => {
      const made = aCheckpoint({ planId, state: state(name) })
      store.checkpoints.insert(made)
      return made.checkpointId
    }
    const decide = (number: number, more: Partial<Decision>) => {
      const decision = aDecision({ planId, number, ...more })
      store.decisions.insert(decision)
      return decision.decisionId
    }
    const gone = {
      kind: 'superseded',
      reason: 'correction',
      supersededBy: null,
      correctionId: null,
      why: null,
    } as const
    decide(1, { key: null, type: 'prompt_definition' })
    const first = decide(2, { checkpointId: checkpoint('early') })
    const old = decide(3, { checkpointId: checkpoint('one'), status: gone })
    store.corrections.put(aCorrection({ planId, supersededIds: [old], safetyState: state('wrong') }))
    const second = decide(4, { checkpointId: checkpoint('one'), attempt: 2 })
    store.cursors.put(aCursor({ planId, sandboxState: state('two') }))
    store.close()
    const before = new SQLite(file)
    before.exec("UPDATE decisions SET rest = json_remove(rest, '$.standing')")
    before.close()

    const { works, decisions } = openTestStore({ dataDir })

    expect(works.listPresent(planId).map(each => [each.decisionId, each.from, each.to])).toEqual([
      [null, null, 'early'],
      [first, 'early', 'one'],
      [second, 'one', 'two'],
    ])
    expect(works.listByDecision(old).map(each => [each.from, each.to])).toEqual([['one', 'wrong']])
    expect(decisions.find(second)?.standing).toEqual({ place: 4, actorStateRef: 'ref' })
    expect(decisions.listKept(planId)).toEqual([])
  })

  test('of before invariants were records keeps those of its plans, each with an id', async () => {
    const planId = storePlan('local/x', await migrationsUpTo(6))
    const old = new SQLite(file)
    old.exec(`UPDATE plans SET rest = json_set(rest, '$.invariants', json('["one", "two"]'))`)
    old.close()
    const store = openTestStore({ dataDir })
    expect(store.plans.find(planId)?.invariants.map(({ text, source }) => [text, source.kind])).toEqual([
      ['one', 'plan'],
      ['two', 'plan'],
    ])
    const [one, two] = store.invariants.listFor('plan', planId)
    expect([one?.text, two?.text, two?.rule]).toEqual(['one', 'two', null])
    expect(store.invariants.match(one?.invariantId ?? '')).toEqual([one?.invariantId])
  })

  test('of before there were resources can be given some, and its plans have none', async () => {
    const planId = storePlan('local/x', await migrationsWith())
    const old = new SQLite(file)
    old.exec("UPDATE plans SET rest = json_remove(rest, '$.resources')")
    old.close()
    const store = openTestStore({ dataDir })
    expect(store.plans.find(planId)?.resources).toEqual([])
    store.resources.put(aResource())
    expect(store.resources.list()).toEqual([aResource()])
  })
})

test('migrations without a gap in their numbers are the only ones accepted', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, '001-a.sql'), '')
  await writeFile(join(folder, '003-c.sql'), '')
  expect(() => tryOpen(folder)).toThrow(/003-c\.sql should have the number 2/)
})

function storePlan(name = 'local/plan', migrationsFolder = assetFolder('migrations')): PlanId {
  const plan = aPlan({ name })
  openTestStore({ dataDir, migrationsFolder }).plans.insert(plan)
  return plan.planId
}

function makeNewer(): void {
  openTestStore({ dataDir }).plans.list({ limit: 1 })
  const db = new SQLite(file)
  db.pragma('user_version = 99')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

function tryOpen(migrationsFolder = assetFolder('migrations')) {
  const opened = openStore({ dataDir, clock: systemClock, newId: createIdSource(), migrationsFolder })
  if (!opened.ok) return opened.failure
  opened.value.close()
  return null
}

async function migrationsUpTo(version: number): Promise<string> {
  const folder = await temporaryFolder()
  const names = (await readdir(assetFolder('migrations'))).sort().slice(0, version)
  for (const name of names) await copyFile(join(assetFolder('migrations'), name), join(folder, name))
  return folder
}

/** The first version of the store, and with `sql` the step to the next. */
async function migrationsWith(sql?: string): Promise<string> {
  const folder = await temporaryFolder()
  const first = '001-plans-and-journal.sql'
  await copyFile(join(assetFolder('migrations'), first), join(folder, first))
  if (sql !== undefined) await writeFile(join(folder, '002-second.sql'), sql)
  return folder
}

async function contentOf(path: string): Promise<{ bytes: Buffer; changedAt: number }> {
  return { bytes: await readFile(path), changedAt: (await stat(path)).mtimeMs }
}
