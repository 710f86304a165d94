import type { CheckReport } from '../../domain/actor/actor.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import { isAttachedTo, type Validation } from '../../domain/validation.ts'
import type { Next } from '../plan/next.ts'
import type { Ports } from '../ports.ts'
import { nameOf } from './run-check.ts'
import { waivedChecks } from './settle-check.ts'

/** A check whose word about the work as it is now is still missing. */
export interface DueCheck {
  readonly about: Pick<CheckReport, 'validation' | 'command' | 'mode' | 'origin' | 'network'>
  /** Its last run in the plan's present line; null = it never ran. */
  readonly last: Step | null
  /** How often it ran so far. */
  readonly runs: number
}

/**
 * The checks that must still speak before a plan may be applied: attached ones, and required ones that the plan's actor
 * asked for before the work went on. One that passed counts for the very state it looked at, and for no other.
 */
export function dueChecks(ports: Ports, plan: Plan, cursor: Cursor): DueCheck[] {
  const line = linesOf(ports, plan)
  const waived = waivedChecks(ports, plan)
  const state = cursor.written === 'unknown' || cursor.written.length > 0 ? null : cursor.sandboxState
  return [...attached(ports, plan, line), ...own(line)].filter(
    ({ about, last }) => !waived.has(nameOf(about)) && !hasSpoken(last, about.mode, state),
  )
}

/**
 * Nothing is applied while a required check fails or has not looked at this very work, also where the work changed
 * after it passed (requirements VAL-05). Null: all of them have spoken.
 */
export function checksDue(ports: Ports, plan: Plan): Next | null {
  const cursor = ports.store.cursors.get(plan.planId)
  const due = cursor ? dueChecks(ports, plan, cursor) : []
  if (due.length === 0) return null
  const names = due.map(({ about }) => nameOf(about)).join(', ')
  return { event: 'checks_due', reason: `the work is still to be checked by ${names}` }
}

/** What its last run said holds while the work is as it was then. One that cannot run blocks nothing. */
function hasSpoken(
  last: Step | null,
  mode: CheckReport['mode'],
  state: Cursor['sandboxState'] | null,
): boolean {
  const outcome = last?.outcome
  if (outcome?.kind !== 'validated' || outcome.report?.state !== state) return false
  return mode === 'informational' || outcome.result !== 'failed'
}

/** The runs that belong to what the plan is now. */
function linesOf({ store }: Ports, plan: Plan): Step[] {
  const active = new Set(
    store.decisions
      .listByPlan(plan.planId)
      .filter(isActive)
      .map(each => each.decisionId),
  )
  return store.steps
    .listChecks(plan.planId)
    .filter(
      ({ takenBackAt, decisionId, attempt }) =>
        takenBackAt === null && (decisionId === null ? attempt === plan.attempt : active.has(decisionId)),
    )
}

/** Where nothing was written there is nothing to look at. */
function* attached({ store }: Ports, plan: Plan, line: readonly Step[]): Generator<DueCheck> {
  if ((plan.changes?.files ?? 0) === 0) return
  const names = store.validations.listAttachments().filter(each => isAttachedTo(each, plan))
  for (const name of new Set(names.map(({ validation }) => validation))) {
    const validation = store.validations.find(name)
    if (!validation) continue
    const runs = line.filter(step => reportOf(step)?.validation === name)
    yield { about: describe(validation), last: runs.at(-1) ?? null, runs: runs.length }
  }
}

/** Whoever attached it means it to run, so no folder's trust is asked for. */
function describe({ name, mode, runs }: Validation): DueCheck['about'] {
  const isCommand = runs.kind === 'command'
  const command = isCommand ? runs.command : runs.tool
  return { validation: name, command, mode, origin: 'action', network: isCommand && runs.network }
}

function* own(line: readonly Step[]): Generator<DueCheck> {
  const byCheck = new Map<string, Step[]>()
  for (const step of line) {
    const report = reportOf(step)
    if (report?.validation !== null || report.mode !== 'required') continue
    const key = JSON.stringify([report.command, report.network])
    byCheck.set(key, [...(byCheck.get(key) ?? []), step])
  }
  for (const runs of byCheck.values()) {
    const last = runs.at(-1) ?? null
    const report = last && reportOf(last)
    if (report) yield { about: report, last, runs: runs.length }
  }
}

function reportOf({ outcome }: Step): CheckReport | null {
  return outcome?.kind === 'validated' ? outcome.report : null
}
