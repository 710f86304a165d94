import type { Spread } from '../../domain/decision/spread.ts'
import { ok, type Result } from '../../domain/failure.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import { type LaidLine, layBack } from '../../domain/plan/lay-back.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { PlanSession } from '../plan/session.ts'
import type { RestoreGoal } from '../rollback/journalled-restore.ts'
import { changedUnder, writtenUnder } from './paths-of-work.ts'

export interface PlannedLine {
  readonly line: LaidLine
  /** Where the sandbox is brought. */
  readonly goal: RestoreGoal
}

/**
 * The line of work without the decisions that no longer hold, on a sandbox that was recorded. Only looks. What cannot be
 * laid back joins those decisions.
 */
export async function planLine(
  session: PlanSession,
  cursor: Cursor,
  spread: Pick<Spread, 'has' | 'add'>,
): Promise<Result<PlannedLine>> {
  const line = session.ports.store.works.listPresent(session.planId)
  const [first] = line
  if (!first) return { ok: true, value: { line: { untouched: [], laid: [] }, goal: presentOf(cursor) } }
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const { baseline, replay } = sandbox.value
  const laid = await layBack({ line, baseline, spread, replay })
  if (!laid.ok) return laid
  const last = laid.value.laid.at(-1) ?? laid.value.untouched.at(-1)
  const goal: RestoreGoal = last
    ? { state: last.to, base: last.base }
    : { state: first.from ?? baseline, base: null }
  return { ok: true, value: { line: laid.value, goal } }
}

/**
 * The same, for decisions that come to stand on a sandbox without what is taken back. One that wrote a file which was
 * there already, as it was there, has no changes to lay back, and would be left without that file: it joins them.
 */
export async function planKeptLine(
  session: PlanSession,
  cursor: Cursor,
  spread: Spread,
): Promise<Result<PlannedLine>> {
  for (;;) {
    const planned = await planLine(session, cursor, spread)
    if (!planned.ok) return planned
    const joined = await joinThoseWithoutTrace(session, spread)
    if (!joined.ok) return joined
    if (joined.value === 0) return planned
  }
}

async function joinThoseWithoutTrace(
  { ports, planId, ...session }: PlanSession,
  spread: Spread,
): Promise<Result<number>> {
  const { decisions, works } = ports.store
  const goes = new Set(
    works
      .listPresent(planId)
      .flatMap(({ decisionId }) => (decisionId && spread.has(decisionId) ? [decisionId] : [])),
  )
  const all = decisions.listByPlan(planId)
  const first = Math.min(...all.filter(each => goes.has(each.decisionId)).map(each => each.standing.place))
  const wroteLater = all
    .filter(each => isActive(each) && each.standing.place > first && !spread.has(each.decisionId))
    .map(({ decisionId }) => ({ decisionId, paths: writtenUnder(ports, decisionId) }))
    .filter(({ paths }) => paths.length > 0)
  if (wroteLater.length === 0) return ok(0)
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const takenBack = new Set<RelPath>()
  for (const decisionId of goes) {
    const changed = await changedUnder(ports, sandbox.value, decisionId)
    if (!changed.ok) return changed
    for (const path of changed.value) takenBack.add(path)
  }
  let joined = 0
  for (const { decisionId, paths } of wroteLater) {
    const wrote = paths.filter(path => takenBack.has(path))
    if (wrote.length === 0 || spread.has(decisionId)) continue
    const changed = await changedUnder(ports, sandbox.value, decisionId)
    if (!changed.ok) return changed
    const path = wrote.find(one => !changed.value.has(one))
    if (path === undefined) continue
    spread.add(decisionId, `it left ${path} as it was, and that is taken back`)
    joined++
  }
  return ok(joined)
}

function presentOf({ sandboxState, base }: Cursor): RestoreGoal {
  return { state: sandboxState, base }
}
