import { type Result, refuse } from '../../domain/failure.ts'
import type { ChosenPart } from '../../domain/gate/gate.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { type ChangeSet, isNamedBy } from '../../domain/sandbox/changeset.ts'
import { type PickedFile, pickHunks } from '../../domain/sandbox/pick-hunks.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import { baseOf, fromOf } from '../plan/base-state.ts'
import { withSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { findPlan } from '../references.ts'
import { choiceOf } from './apply-plan.ts'

/** Why a chosen part cannot be applied, said before the approval takes effect; null when it can. */
export async function refusalToApplyPart(
  ports: Ports,
  planRef: string,
  part: ChosenPart,
): Promise<Result<never> | null> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  const looked = await withSession<unknown>(ports, plan.value, async session => {
    const cursor = ports.store.cursors.get(plan.value.planId)
    const sandbox = cursor ? await session.sandbox() : null
    // Where there is no work there is no gate before Apply either, which the answer then says.
    if (!cursor || !sandbox) return { ok: true, value: null }
    if (!sandbox.ok) return sandbox
    if (part.kind === 'paths') return refusedPath(plan.value, sandbox.value, cursor, part.only)
    const from = fromOf(plan.value, cursor, sandbox.value)
    return sandbox.value.choose({ from, to: cursor.sandboxState, choice: choiceOf(part) })
  })
  return looked.ok ? null : looked
}

async function refusedPath(
  plan: Plan,
  sandbox: Sandbox,
  cursor: Cursor,
  only: readonly RelPath[],
): Promise<Result<null>> {
  const to = cursor.sandboxState
  const left = await sandbox.changes(fromOf(plan, cursor, sandbox), to)
  if (!left.ok) return left
  const missing = only.filter(path => !isIn(left.value, path))
  if (missing.length === 0) return { ok: true, value: null }
  const whole = await sandbox.changes(baseOf(cursor, sandbox), to)
  if (!whole.ok) return whole
  const applied = missing.filter(path => isIn(whole.value, path))
  const paths = missing.join(', ')
  if (applied.length === missing.length)
    return refuse('invalid_state', `Applied already: ${paths}. Nothing was changed.`, {
      paths: missing,
      applied: true,
    })
  return refuse('not_found', `The plan changes no file at ${paths}. Nothing was applied.`, { paths: missing })
}

function isIn(changes: ChangeSet, path: RelPath): boolean {
  return changes.files.some(file => isNamedBy(file, path))
}

/** What is left of the plan is looked at now; an answer that comes too late for it is refused by its digest. */
export async function pickPart(
  ports: Ports,
  planRef: string,
  picked: readonly PickedFile[],
): Promise<Result<ChosenPart>> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  return withSession(ports, plan.value, async session => {
    const cursor = ports.store.cursors.get(plan.value.planId)
    if (!cursor)
      return refuse('invalid_state', `Plan ${plan.value.name} has changed nothing yet.`, {
        plan_id: plan.value.planId,
      })
    const sandbox = await session.sandbox()
    if (!sandbox.ok) return sandbox
    const range = [fromOf(plan.value, cursor, sandbox.value), cursor.sandboxState] as const
    const left = await sandbox.value.changes(...range)
    if (!left.ok) return left
    const patch = await sandbox.value.patch(...range)
    if (!patch.ok) return patch
    const part = pickHunks(patch.value, left.value.files, picked)
    if (!part.ok) return part
    return { ok: true, value: { kind: 'hunks', patchBase64: Buffer.from(part.value).toString('base64') } }
  })
}
