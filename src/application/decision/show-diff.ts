import type { Decision } from '../../domain/decision/decision.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { appliedPart, type Plan } from '../../domain/plan/plan.ts'
import type { ChangeSet } from '../../domain/sandbox/changeset.ts'
import type { Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { Diff, DiffPart, DiffRequest } from '../backend.ts'
import { baseOf } from '../plan/base-state.ts'
import { withSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { findById, findDecision, findPlan } from '../references.ts'

/** What a plan, one of its decisions or a correction changed. A plan that modified nothing has an empty diff. */
export async function showDiff(ports: Ports, request: DiffRequest): Promise<Result<Diff>> {
  const plan = findPlan(ports, request.planRef)
  if (!plan.ok) return plan
  if (!ports.store.cursors.get(plan.value.planId)) return { ok: true, value: empty(plan.value) }
  return withSession(ports, plan.value, async session => {
    const sandbox = await session.sandbox()
    if (!sandbox.ok) return sandbox
    const range = rangeFor(ports, plan.value, sandbox.value, request)
    if (!range.ok) return range
    const { from, to, part } = range.value
    const changeSet = await sandbox.value.changes(from, to)
    if (!changeSet.ok) return changeSet
    const patch = request.stat
      ? { ok: true as const, value: new Uint8Array() }
      : await sandbox.value.patch(from, to)
    if (!patch.ok) return patch
    const { planId } = plan.value
    return { ok: true, value: { planId, part, changeSet: changeSet.value, patch: patch.value } }
  })
}

export function decisionChanges(ports: Ports, plan: Plan, decision: Decision): Promise<Result<ChangeSet>> {
  if (ports.store.works.listByDecision(decision.decisionId).length === 0)
    return Promise.resolve({ ok: true, value: empty(plan).changeSet })
  return withSession(ports, plan, async session => {
    const sandbox = await session.sandbox()
    if (!sandbox.ok) return sandbox
    const { from, to } = workUnder(ports, sandbox.value, decision)
    return sandbox.value.changes(from, to)
  })
}

interface Range {
  readonly from: SandboxState
  readonly to: SandboxState
}

type PartRange = Range & { readonly part: DiffPart }

function rangeFor(ports: Ports, plan: Plan, sandbox: Sandbox, request: DiffRequest): Result<PartRange> {
  if (request.decisionRef !== null) {
    const decision = findDecision(ports, request.decisionRef, plan)
    if (!decision.ok) return decision
    return { ok: true, value: { ...workUnder(ports, sandbox, decision.value), part: 'all' } }
  }
  const cursor = ports.store.cursors.get(plan.planId)
  const present = cursor?.sandboxState ?? sandbox.baseline
  if (request.correctionRef === null)
    return { ok: true, value: rangeOfPart(plan, { base: baseOf(cursor, sandbox), present }, request.part) }
  const { corrections } = ports.store
  const correction = findById(
    'correction',
    request.correctionRef,
    corrections.match(request.correctionRef, plan.planId),
    id => corrections.find(id),
  )
  if (!correction.ok) return correction
  if (!correction.value.safetyState)
    return refuse('not_found', 'The correction kept no earlier state to compare with.')
  return { ok: true, value: { from: correction.value.safetyState, to: present, part: 'all' } }
}

function rangeOfPart(
  plan: Plan,
  { base, present }: { readonly base: SandboxState; readonly present: SandboxState },
  wanted: DiffPart | null,
): PartRange {
  const part = wanted ?? (appliedPart(plan) === 'part' ? 'left' : 'all')
  const applied = plan.appliedState ?? base
  if (part === 'left') return { part, from: applied, to: present }
  return { part, from: base, to: part === 'applied' ? applied : present }
}

/** From the start to the end of what was done under a decision. */
function workUnder(ports: Ports, sandbox: Sandbox, { decisionId }: Decision): Range {
  const done = ports.store.works.listByDecision(decisionId)
  const from = done[0]?.from ?? sandbox.baseline
  return { from, to: done.at(-1)?.to ?? from }
}

function empty(plan: Plan): Diff {
  return { planId: plan.planId, part: 'all', changeSet: { digest: '', files: [] }, patch: new Uint8Array() }
}
