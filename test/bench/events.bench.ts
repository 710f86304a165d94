import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import type { PlanEventBody } from '../../src/application/ports/event-log.ts'
import type { Store } from '../../src/application/ports.ts'
import type { PlanId } from '../../src/domain/ids.ts'
import { openStore } from '../../src/infrastructure/sqlite/store.ts'
import { systemClock } from '../../src/infrastructure/system/clock.ts'
import { createIdSource } from '../../src/infrastructure/system/ids.ts'
import type { Measurement } from '../support/measurement.ts'
import { aPlan, aStep } from '../support/records.ts'

const ROUNDS = 5
const COUNT = 500

/** Events through the store, against the same bytes through a bare prepared statement, in turn. */
export async function measure(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agents-bench-'))
  try {
    return await measureIn(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureIn(folder: string): Promise<Measurement[]> {
  const opening = Array.from({ length: 9 }, () => msOf(() => open(folder).close()))
  const store = open(folder)
  const plan = aPlan()
  store.plans.insert(plan)
  const body: PlanEventBody = { type: 'STEP_STARTED', step: aStep({ planId: plan.planId }) }
  const bare = bareTable(join(folder, 'bare.db'), JSON.stringify(body))
  const one = inTurn(() => appendEach(store, plan.planId, body), bare.insertEach)
  const many = inTurn(
    () => store.transaction(() => appendEach(store, plan.planId, body)),
    bare.insertTogether,
  )
  const read = inTurn(() => void store.events.read(0, COUNT), bare.readAll)
  const idle = await idleListening(store)
  const openMs = {
    what: 'open a store that exists',
    value: middle(opening),
    unit: 'ms',
    floor: null,
  } as const
  store.close()
  bare.close()
  return [
    perSecond('events appended, a transaction each', one),
    perSecond(`events appended, ${COUNT} a transaction`, many),
    perSecond('events read and checked', read),
    openMs,
    idle,
  ]
}

function open(dataDir: string): Store {
  const opened = openStore({ dataDir, clock: systemClock, newId: createIdSource() })
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value
}

function appendEach(store: Store, planId: PlanId, body: PlanEventBody): void {
  for (let count = 0; count < COUNT; count++) store.events.append(planId, planId, body)
}

function bareTable(file: string, body: string) {
  const db = new SQLite(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('CREATE TABLE events (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT')
  const insert = db.prepare('INSERT INTO events (body) VALUES (?)')
  const select = db.prepare<[number], { body: string }>('SELECT * FROM events ORDER BY seq LIMIT ?')
  const insertEach = () => {
    for (let count = 0; count < COUNT; count++) insert.run(body)
  }
  return {
    insertEach,
    insertTogether: () => db.transaction(insertEach)(),
    readAll: () => select.all(COUNT).forEach(row => void JSON.parse(row.body)),
    close: () => db.close(),
  }
}

interface Turns {
  readonly ours: number
  readonly bare: number
}

/** The first turn warms both up. */
function inTurn(ours: () => void, bare: () => void): Turns {
  const turns = Array.from({ length: ROUNDS + 1 }, () => ({ ours: msOf(ours), bare: msOf(bare) })).slice(1)
  return { ours: middle(turns.map(turn => turn.ours)), bare: middle(turns.map(turn => turn.bare)) }
}

function perSecond(what: string, { ours, bare }: Turns): Measurement {
  const rate = (ms: number) => (COUNT / ms) * 1000
  return {
    what,
    value: rate(ours),
    unit: 'per second',
    floor: { what: 'bare statements', value: rate(bare) },
  }
}

/** What looking for the commits of other processes costs: processor time of a process that only listens. */
async function idleListening(store: Store): Promise<Measurement> {
  const quiet = await cpuWhileIdle()
  const stop = store.events.onChange(() => {})
  const listening = await cpuWhileIdle()
  stop()
  return {
    what: 'of a core, only listening',
    value: listening,
    unit: '%',
    floor: { what: 'bare idling', value: quiet },
  }
}

async function cpuWhileIdle(): Promise<number> {
  const ms = 3000
  const before = process.cpuUsage()
  await setTimeout(ms)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1000 / ms) * 100
}

function msOf(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
