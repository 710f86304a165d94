import type { GuardrailRepository } from '../../application/ports/guardrail.ts'
import {
  type AuditCounters,
  type AuditEntry,
  type AuditEventType,
  countEntry,
  noCounters,
  resultOf,
} from '../../domain/guardrails/audit.ts'
import type { Excess } from '../../domain/guardrails/limits.ts'
import type { RunningTime } from '../../domain/guardrails/running-time.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Connection } from './connection.ts'
import { once, parsed } from './record-table.ts'
import { excessSchema } from './schemas/plan-schema.ts'

interface Counts extends AuditCounters {
  readonly steps: number
  readonly ran_ms: number
  readonly since: string | null
}

/** How far plans have come against their limits, and the record of every check. */
export function guardrailRepository(connection: Connection): GuardrailRepository {
  const { db, write } = connection
  const counts = once(() => db.prepare<[string], Counts>('SELECT * FROM guardrail_counts WHERE plan_id = ?'))
  const addStep = once(() =>
    db.prepare<[string]>(
      `INSERT INTO guardrail_counts (plan_id, steps) VALUES (?, 1)
       ON CONFLICT (plan_id) DO UPDATE SET steps = steps + 1`,
    ),
  )
  const putTime = once(() =>
    db.prepare<[string, number, string | null]>(
      `INSERT INTO guardrail_counts (plan_id, ran_ms, since) VALUES (?, ?, ?)
       ON CONFLICT (plan_id) DO UPDATE SET ran_ms = excluded.ran_ms, since = excluded.since`,
    ),
  )
  return {
    steps: planId => counts().get(planId)?.steps ?? 0,
    addStep: planId => void write(() => addStep().run(planId)),
    runningTime: planId => timeOf(counts().get(planId)),
    setRunningTime: (planId, { ranMs, since }) => void write(() => putTime().run(planId, ranMs, since)),
    counters: planId => countersOf(counts().get(planId)),
    ...auditTrail(connection, planId => countersOf(counts().get(planId))),
    ...calls(connection),
    ...sessions(connection),
  }
}

function timeOf(row: Counts | undefined): RunningTime {
  return { ranMs: row?.ran_ms ?? 0, since: row?.since ?? null }
}

function countersOf(row: Counts | undefined): AuditCounters {
  return row ? { allowed: row.allowed, denied: row.denied, evicted: row.evicted } : noCounters
}

interface AuditRow {
  readonly at: string
  readonly event_type: AuditEventType
  readonly guard_name: string
  readonly reason: string
  readonly context: string
}

/** Bounded: the oldest entries leave it, and stay counted. */
function auditTrail({ db, write }: Connection, counters: (planId: PlanId) => AuditCounters) {
  const insert = once(() =>
    db.prepare<[AuditRow & { plan_id: string; check_key: string }]>(
      `INSERT INTO guardrail_audit (plan_id, check_key, at, event_type, guard_name, reason, context)
       VALUES (@plan_id, @check_key, @at, @event_type, @guard_name, @reason, @context)
       ON CONFLICT (plan_id, check_key, event_type) DO NOTHING`,
    ),
  )
  const put = once(() =>
    db.prepare<[AuditCounters & { plan_id: string }]>(
      `INSERT INTO guardrail_counts (plan_id, allowed, denied, evicted) VALUES (@plan_id, @allowed, @denied, @evicted)
       ON CONFLICT (plan_id) DO UPDATE SET allowed = @allowed, denied = @denied, evicted = @evicted`,
    ),
  )
  const evict = once(() =>
    db.prepare<[string, number]>(
      `DELETE FROM guardrail_audit WHERE recorded IN (
         SELECT recorded FROM guardrail_audit WHERE plan_id = ? ORDER BY recorded LIMIT ?)`,
    ),
  )
  const listed = once(() =>
    db.prepare<[string], AuditRow>('SELECT * FROM guardrail_audit WHERE plan_id = ? ORDER BY recorded'),
  )
  return {
    addEntry: (planId: PlanId, checkKey: string, entry: AuditEntry): void =>
      write(() => {
        const row = { plan_id: planId, check_key: checkKey, ...rowOf(entry) }
        if (insert().run(row).changes === 0) return
        const before = counters(planId)
        const kept = before.allowed + before.denied - before.evicted
        const after = countEntry(before, entry.result, kept)
        put().run({ plan_id: planId, ...after.counters })
        if (after.leave > 0) evict().run(planId, after.leave)
      }),
    entries: (planId: PlanId): AuditEntry[] => listed().all(planId).map(entryOf),
  }
}

function rowOf(entry: AuditEntry): AuditRow {
  return {
    at: entry.timestamp,
    event_type: entry.eventType,
    guard_name: entry.guardName,
    reason: entry.reason,
    context: JSON.stringify(entry.context),
  }
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    timestamp: row.at,
    eventType: row.event_type,
    guardName: row.guard_name,
    result: resultOf(row.event_type),
    reason: row.reason,
    context: JSON.parse(row.context),
  }
}

function sessions({ db, write }: Connection) {
  const get = once(() =>
    db.prepare<[string], string>('SELECT excess FROM exceeded_sessions WHERE session_id = ?').pluck(),
  )
  const put = once(() =>
    db.prepare<[string, string]>(
      'INSERT OR REPLACE INTO exceeded_sessions (session_id, excess) VALUES (?, ?)',
    ),
  )
  const remove = once(() => db.prepare<[string]>('DELETE FROM exceeded_sessions WHERE session_id = ?'))
  return {
    sessionExcess: (sessionId: string): Excess | null => {
      const text = get().get(sessionId)
      return text === undefined ? null : parsed(excessSchema, 'exceeded_sessions', JSON.parse(text))
    },
    setSessionExcess: (sessionId: string, excess: Excess | null): void => {
      if (excess === null) write(() => remove().run(sessionId))
      else write(() => put().run(sessionId, JSON.stringify(excess)))
    },
  }
}

/** Equal calls since something new was written. */
function calls({ db, write }: Connection) {
  const add = once(() =>
    db.prepare<[string, string, string, number]>(
      'INSERT INTO repeated_calls (plan_id, call, result, is_progress) VALUES (?, ?, ?, ?)',
    ),
  )
  const known = once(() =>
    db
      .prepare<[string, string, string], number>(
        'SELECT count(*) FROM repeated_calls WHERE plan_id = ? AND call = ? AND result = ?',
      )
      .pluck(),
  )
  const equal = once(() =>
    db
      .prepare<[string, string, string], number>(
        `SELECT coalesce(max(times), 0) FROM (
           SELECT count(*) AS times FROM repeated_calls
           WHERE plan_id = ? AND call = ? AND recorded >= (
             SELECT coalesce(max(recorded), 0) FROM repeated_calls WHERE plan_id = ? AND is_progress = 1)
           GROUP BY result)`,
      )
      .pluck(),
  )
  return {
    addCall: (planId: PlanId, call: string, result: string, hasWritten: boolean): void =>
      write(() => {
        const isProgress = hasWritten && known().get(planId, call, result) === 0
        add().run(planId, call, result, isProgress ? 1 : 0)
      }),
    equalCalls: (planId: PlanId, call: string): number => equal().get(planId, call, planId) ?? 0,
  }
}
