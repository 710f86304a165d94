import type { Ledger } from '../../application/ports/guardrail.ts'
import { fromNanos, toNanos } from '../../domain/guardrails/budget.ts'
import { type Charge, nothingSpent, type Spending } from '../../domain/guardrails/charge.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Connection } from './connection.ts'
import { once } from './record-table.ts'

interface Row {
  readonly charge_key: string
  readonly step_key: string
  readonly plan_id: PlanId | null
  readonly session_id: string
  readonly profile: string | null
  readonly month: string
  readonly state: Charge['state']
  readonly nano_usd: number
  readonly tokens: number
  readonly is_assumed: 0 | 1
}

interface Sums {
  readonly spent: number
  readonly reserved: number
  readonly spent_tokens: number
  readonly reserved_tokens: number
  readonly assumed: number
  readonly assumed_tokens: number
}

/** What the calls of all plans cost. Sums are taken over the rows, so that no total can differ from them. */
export function ledger({ db, write }: Connection): Ledger {
  const insert = once(() =>
    db.prepare<[Row]>(
      `INSERT INTO charges (charge_key, step_key, plan_id, session_id, profile, month, state, nano_usd, tokens, is_assumed)
       VALUES (@charge_key, @step_key, @plan_id, @session_id, @profile, @month, @state, @nano_usd, @tokens, @is_assumed)
       ON CONFLICT (charge_key) DO NOTHING`,
    ),
  )
  const close = once(() =>
    db.prepare<[string, number, number, number, string]>(
      "UPDATE charges SET state = ?, nano_usd = ?, tokens = ?, is_assumed = ? WHERE charge_key = ? AND state = 'reserved'",
    ),
  )
  const ofStep = select('WHERE step_key = ? ORDER BY recorded')
  const reserved = select("WHERE plan_id = ? AND state = 'reserved' ORDER BY recorded")
  const subtree = sum(
    `WHERE plan_id IN (
       WITH RECURSIVE below (plan_id) AS (
         SELECT ? UNION SELECT plans.plan_id FROM plans JOIN below ON plans.parent_plan_id = below.plan_id
       ) SELECT plan_id FROM below)`,
  )
  return {
    reserve: charge => write(() => insert().run(toRow(charge))).changes === 1,
    close: (key, state, { usd, tokens, basis }) =>
      write(() => close().run(state, toNanos(usd), tokens, basis === 'assumed' ? 1 : 0, key)).changes === 1,
    ofStep: stepKey => ofStep().all(stepKey).map(fromRow),
    reserved: planId => reserved().all(planId).map(fromRow),
    spentByPlan: sum('WHERE plan_id = ?'),
    spentBelow: subtree,
    spentInSession: sum('WHERE session_id = ?'),
    spentUnderProfile: sum('WHERE profile = ?'),
    spentInMonth: sum('WHERE month = ?'),
  }

  function select(where: string) {
    return once(() => db.prepare<[string], Row>(`SELECT * FROM charges ${where}`))
  }

  function sum(where: string): (of: string) => Spending {
    const statement = once(() =>
      db.prepare<[string], Sums>(
        `SELECT coalesce(sum(CASE state WHEN 'settled' THEN nano_usd END), 0) AS spent,
           coalesce(sum(CASE state WHEN 'reserved' THEN nano_usd END), 0) AS reserved,
           coalesce(sum(CASE state WHEN 'settled' THEN tokens END), 0) AS spent_tokens,
           coalesce(sum(CASE state WHEN 'reserved' THEN tokens END), 0) AS reserved_tokens,
           coalesce(sum(CASE WHEN state = 'settled' AND is_assumed THEN nano_usd END), 0) AS assumed,
           coalesce(sum(CASE WHEN state = 'settled' AND is_assumed THEN tokens END), 0) AS assumed_tokens
         FROM charges ${where}`,
      ),
    )
    return of => {
      const row = statement().get(of)
      if (!row) return nothingSpent
      return {
        spentUsd: fromNanos(row.spent),
        reservedUsd: fromNanos(row.reserved),
        spentTokens: row.spent_tokens,
        reservedTokens: row.reserved_tokens,
        assumedUsd: fromNanos(row.assumed),
        assumedTokens: row.assumed_tokens,
      }
    }
  }
}

function toRow(charge: Charge): Row {
  return {
    charge_key: charge.key,
    step_key: charge.stepKey,
    plan_id: charge.planId,
    session_id: charge.sessionId,
    profile: charge.profile,
    month: charge.month,
    state: charge.state,
    nano_usd: toNanos(charge.usd),
    tokens: charge.tokens,
    is_assumed: charge.basis === 'assumed' ? 1 : 0,
  }
}

function fromRow(row: Row): Charge {
  return {
    key: row.charge_key,
    stepKey: row.step_key,
    planId: row.plan_id,
    sessionId: row.session_id,
    profile: row.profile,
    month: row.month,
    state: row.state,
    usd: fromNanos(row.nano_usd),
    tokens: row.tokens,
    basis: row.is_assumed === 1 ? 'assumed' : 'known',
  }
}
