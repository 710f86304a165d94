import type { Decision } from '../../domain/decision/decision.ts'
import { mapped, type Result, refuse } from '../../domain/failure.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Correction } from '../../domain/plan/journal.ts'
import { appliedPart, type Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { Work } from '../../domain/plan/work.ts'
import type { ChangeSet } from '../../domain/sandbox/changeset.ts'
import type { Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { Diff, DiffPart, DiffRequest, DiffTitles } from '../backend/diff.ts'
import { baseOf } from '../plan/base-state.ts'
import { withSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { findById, findDecision, findPlan } from '../references.ts'

/**
 * What a plan, one of its decisions or a correction changed, or how its result differs from another plan's. A plan that
 * modified nothing has an empty diff.
 */
export async function showDiff(ports: Ports, request: DiffRequest): Promise<Result<Diff>> {
  const plan = findPlan(ports, request.planRef)
  if (!plan.ok) return plan
  const named = [request.decisionRef, request.correctionRef, request.againstRef].filter(ref => ref !== null)
  if (named.length > 1)
    return refuse('invalid_input', 'Name a decision, a correction or another plan, only one of them.')
  if (!ports.store.cursors.get(plan.value.planId) && request.againstRef === null)
    return { ok: true, value: empty(plan.value) }
  return withSession(ports, plan.value, async session => {
    const sandbox = await session.sandbox()
    if (!sandbox.ok) return sandbox
    const range =
      request.againstRef === null
        ? await rangeFor(ports, plan.value, sandbox.value, request)
        : await rangeAgainst(ports, plan.value, sandbox.value, request.againstRef)
    if (!range.ok) return range
    const { from, to, part, titles } = range.value
    const changeSet = await sandbox.value.changes(from, to)
    if (!changeSet.ok) return changeSet
    const patch = request.stat
      ? { ok: true as const, value: new Uint8Array() }
      : await sandbox.value.patch(from, to)
    if (!patch.ok) return patch
    const { planId } = plan.value
    return { ok: true, value: { planId, part, titles, changeSet: changeSet.value, patch: patch.value } }
  })
}

export function decisionChanges(ports: Ports, plan: Plan, decision: Decision): Promise<Result<ChangeSet>> {
  if (ports.store.works.listByDecision(decision.decisionId).length === 0)
    return Promise.resolve({ ok: true, value: empty(plan).changeSet })
  return withSession(ports, plan, async session => {
    const sandbox = await session.sandbox()
    if (!sandbox.ok) return sandbox
    const work = await workUnder(ports, sandbox.value, decision)
    return work.ok ? sandbox.value.changes(work.value.from, work.value.to) : work
  })
}

interface Range {
  readonly from: SandboxState
  readonly to: SandboxState
}

type PartRange = Range & { readonly part: DiffPart; readonly titles: DiffTitles }

async function rangeFor(
  ports: Ports,
  plan: Plan,
  sandbox: Sandbox,
  request: DiffRequest,
): Promise<Result<PartRange>> {
  if (request.decisionRef !== null) return rangeOfDecision(ports, plan, sandbox, request.decisionRef)
  const cursor = ports.store.cursors.get(plan.planId)
  const present = cursor?.sandboxState ?? sandbox.baseline
  if (request.correctionRef === null)
    return { ok: true, value: rangeOfPart(plan, { base: baseOf(cursor, sandbox), present }, request.part) }
  return rangeOfCorrection(ports, plan, present, request.correctionRef)
}

async function rangeOfDecision(
  ports: Ports,
  plan: Plan,
  sandbox: Sandbox,
  reference: string,
): Promise<Result<PartRange>> {
  const decision = findDecision(ports, reference, plan)
  if (!decision.ok) return decision
  const { number } = decision.value
  const titles = { old: `before #${number}`, new: `after #${number}` }
  return mapped(await workUnder(ports, sandbox, decision.value), work => ({ ...work, part: 'all', titles }))
}

/** The old result against the new one, which is the present one unless the correction was taken back. */
function rangeOfCorrection(
  ports: Ports,
  plan: Plan,
  present: SandboxState,
  reference: string,
): Result<PartRange> {
  const { corrections } = ports.store
  const found = findById('correction', reference, corrections.match(reference, plan.planId), id =>
    corrections.find(id),
  )
  if (!found.ok) return found
  const { safetyState, targetDecisionId, childPlanId } = found.value
  if (childPlanId !== null) return refuseAppend(ports, childPlanId)
  if (!safetyState) return refuse('not_found', 'The correction kept no earlier state to compare with.')
  const before = `before the correction of #${ports.store.decisions.find(targetDecisionId)?.number ?? 0}`
  const after = lastUnder(ports, found.value)
  const titles = { old: before, new: after === null ? 'now' : 'before it was taken back' }
  return { ok: true, value: { from: safetyState, to: after ?? present, part: 'all', titles } }
}

function refuseAppend(ports: Ports, childPlanId: PlanId): Result<never> {
  const name = ports.store.plans.find(childPlanId)?.name ?? childPlanId
  return refuse(
    'invalid_input',
    `That correction added the child plan ${name}. What it changed is shown by agents plan diff ${name}.`,
    { plan_id: childPlanId },
  )
}

/**
 * The last state of the line that a correction began, where it was taken back since: the safety checkpoint of whatever
 * took it back. Null while it holds.
 */
function lastUnder(ports: Ports, { planId, supersededIds, createdAt }: Correction): SandboxState | null {
  const superseded = new Set<string>(supersededIds)
  const holds = supersededIds.every(id => {
    const decision = ports.store.decisions.find(id)
    return decision !== null && !isActive(decision)
  })
  if (holds) return null
  const last = ports.store.checkpoints
    .listByPlan(planId)
    .findLast(
      ({ origin, createdAt: taken }) =>
        origin.kind === 'safety' && taken >= createdAt && !origin.activeIds.some(id => superseded.has(id)),
    )
  return last?.state ?? null
}

/** The other plan's result is brought here to be compared; it stays where it is and as it is. */
async function rangeAgainst(
  ports: Ports,
  plan: Plan,
  sandbox: Sandbox,
  reference: string,
): Promise<Result<PartRange>> {
  const other = findPlan(ports, reference)
  if (!other.ok) return other
  const { planId, name, project } = other.value
  if (project.name !== plan.project.name)
    return refuse(
      'invalid_input',
      `${plan.name} works on ${plan.project.name} and ${name} on ${project.name}; only plans on one project are compared.`,
    )
  const theirs = ports.store.cursors.get(planId)
  if (!theirs)
    return refuse('invalid_state', `The plan ${name} has not begun; there is nothing to compare with.`)
  const received = await sandbox.receive({ planId, state: theirs.sandboxState })
  if (!received.ok) return received
  const from = ports.store.cursors.get(plan.planId)?.sandboxState ?? sandbox.baseline
  return { ok: true, value: { from, to: received.value, part: 'all', titles: { old: plan.name, new: name } } }
}

function rangeOfPart(
  plan: Plan,
  { base, present }: { readonly base: SandboxState; readonly present: SandboxState },
  wanted: DiffPart | null,
): PartRange {
  const part = wanted ?? (appliedPart(plan) === 'part' ? 'left' : 'all')
  const applied = plan.appliedState ?? base
  const titles = { old: part === 'left' ? APPLIED : BEFORE, new: part === 'applied' ? APPLIED : 'now' }
  if (part === 'left') return { part, titles, from: applied, to: present }
  return { part, titles, from: base, to: part === 'applied' ? applied : present }
}

const BEFORE = 'before the plan'
const APPLIED = 'what is applied'

/**
 * What was done under a decision as one stretch. Where a correction took an earlier decision again in the middle of it,
 * work of others lies between, and is left out as far as the rest merges without it.
 */
async function workUnder(ports: Ports, sandbox: Sandbox, { decisionId }: Decision): Promise<Result<Range>> {
  const [first, ...later] = ports.store.works.listByDecision(decisionId)
  const from = first?.from ?? sandbox.baseline
  let to = first?.to ?? from
  for (const work of later) {
    const laid = await layOn(sandbox, to, work)
    if (!laid.ok) return laid
    to = laid.value
  }
  return { ok: true, value: { from, to } }
}

async function layOn(sandbox: Sandbox, onto: SandboxState, work: Work): Promise<Result<SandboxState>> {
  const from = work.from ?? sandbox.baseline
  if (from === onto) return { ok: true, value: work.to }
  const report = await sandbox.replay(onto, { from, to: work.to })
  if (report.ok) return { ok: true, value: report.value.outcome === 'merged' ? report.value.state : work.to }
  // A sandbox that cannot merge shows all from the beginning to the end.
  return report.failure.code === 'not_available' ? { ok: true, value: work.to } : report
}

function empty(plan: Plan): Diff {
  const titles = { old: BEFORE, new: 'now' }
  return {
    planId: plan.planId,
    part: 'all',
    titles,
    changeSet: { digest: '', files: [] },
    patch: new Uint8Array(),
  }
}
