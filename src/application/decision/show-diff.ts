import type { Decision } from '../../domain/decision/decision.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { appliedPart, type Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { ChangeSet } from '../../domain/sandbox/changeset.ts'
import type { Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { Diff, DiffPart, DiffRequest } from '../backend.ts'
import { baseOf } from '../plan/base-state.ts'
import { withSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { findById, findDecision, findPlan } from '../references.ts'
import { stateAt } from './plan-correction.ts'

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
  if ((decision.key === null && decision.checkpointId === null) || !ports.store.cursors.get(plan.planId)) {
    return Promise.resolve({ ok: true, value: empty(plan).changeSet })
  }
  return withSession(ports, plan, async session => {
    const sandbox = await session.sandbox()
    if (!sandbox.ok) return sandbox
    const { from, to } = workUnder(ports, plan, sandbox.value, decision)
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
    return { ok: true, value: { ...workUnder(ports, plan, sandbox, decision.value), part: 'all' } }
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

/** Work of a person that became part of the plan by this decision; null for every other decision. */
function adoptedUnder(ports: Ports, plan: Plan, decision: Decision): Range | null {
  const step = ports.store.steps
    .listByPlan(plan.planId)
    .find(each => each.kind === 'adopt' && each.decisionId === decision.decisionId)
  if (!step) return null
  // As recordAdoption wrote them.
  return { from: step.input['from'] as SandboxState, to: step.input['to'] as SandboxState }
}

/** Between a decision's own checkpoint and the next one in time, on the line it belonged to. */
function workUnder(ports: Ports, plan: Plan, sandbox: Sandbox, decision: Decision): Range {
  const adopted = adoptedUnder(ports, plan, decision)
  if (adopted) return adopted
  const from = stateAt(ports, decision) ?? sandbox.baseline
  const next = ports.store.decisions
    .listByPlan(plan.planId)
    .filter(each => each.key !== null && each.number > decision.number)
    .find(each => (isActive(decision) ? isActive(each) : each.attempt === decision.attempt))
  // A later decision without a checkpoint was recorded while nothing had been modified yet.
  if (next) return { from, to: stateAt(ports, next) ?? sandbox.baseline }
  const correction = ports.store.corrections
    .listByPlan(plan.planId)
    .find(each => each.supersededIds.includes(decision.decisionId))
  const last = ports.store.cursors.get(plan.planId)?.sandboxState ?? from
  return { from, to: isActive(decision) ? last : (correction?.safetyState ?? last) }
}

function empty(plan: Plan): Diff {
  return { planId: plan.planId, part: 'all', changeSet: { digest: '', files: [] }, patch: new Uint8Array() }
}
