import type SQLite from 'better-sqlite3'
import type { EventLog, PlanEvent } from '../../application/ports/event-log.ts'
import type { Clock } from '../../application/ports/machine.ts'
import { asId, type EventId, type IdSource, type PlanId } from '../../domain/ids.ts'
import { changeNotice } from './change-notice.ts'
import { once, parsed } from './record-table.ts'
import { eventBodySchema } from './schemas/event-schema.ts'
import type { Transactions } from './transactions.ts'

interface Row {
  readonly seq: number
  readonly event_id: string
  readonly plan_id: string
  readonly root_plan_id: string
  readonly at: string
  readonly body: string
}

export interface EventLogParts {
  readonly db: SQLite.Database
  readonly transactions: Transactions
  readonly clock: Clock
  readonly newId: IdSource
}

/**
 * The append-only log. Rows are never deleted and SQLite numbers a row one above the last, so that within the write
 * lock `seq` grows without a gap over all processes.
 */
export function eventLog({ db, transactions, clock, newId }: EventLogParts): EventLog & { close(): void } {
  const insert = once(() =>
    db.prepare<[string, string, string, string, string]>(
      'INSERT INTO events (event_id, plan_id, root_plan_id, at, body) VALUES (?, ?, ?, ?, ?)',
    ),
  )
  const lastSeq = once(() => db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM events').pluck())
  const readAll = once(() =>
    db.prepare<[number, number], Row>('SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?'),
  )
  const readPlan = once(() =>
    db.prepare<[string, number, number], Row>(
      'SELECT * FROM events WHERE plan_id = ? AND seq > ? ORDER BY seq LIMIT ?',
    ),
  )
  const last = () => lastSeq().get() ?? 0
  const notice = changeNotice(db, transactions, last)

  return {
    append: (planId, rootPlanId, body) => {
      const eventId = asId<EventId>(newId())
      const at = clock.now()
      const { lastInsertRowid } = transactions.join(() =>
        insert().run(eventId, planId, rootPlanId, at, JSON.stringify(body)),
      )
      return { seq: Number(lastInsertRowid), eventId, planId, rootPlanId, at, body }
    },
    lastSeq: last,
    read: (afterSeq, limit, planId) =>
      (planId === undefined ? readAll().all(afterSeq, limit) : readPlan().all(planId, afterSeq, limit)).map(
        toEvent,
      ),
    onChange: notice.onChange,
    close: notice.close,
  }
}

function toEvent(row: Row): PlanEvent {
  return {
    seq: row.seq,
    eventId: asId<EventId>(row.event_id),
    planId: asId<PlanId>(row.plan_id),
    rootPlanId: asId<PlanId>(row.root_plan_id),
    at: row.at,
    body: parsed(eventBodySchema, 'events', JSON.parse(row.body)),
  }
}
