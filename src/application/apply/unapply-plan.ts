import { type Result, refuse } from '../../domain/failure.ts'
import { isFinal, positionWords, stateOf } from '../../domain/plan/lifecycle.ts'
import { appliedPart, type Plan } from '../../domain/plan/plan.ts'
import { thresholdFor } from '../../domain/profile/built-in.ts'
import { countChanges, isNamedBy } from '../../domain/sandbox/changeset.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { UseAction } from '../backend/plan.ts'
import { baseOf } from '../plan/base-state.ts'
import { savePlan } from '../plan/change-plan.ts'
import { refuseRemoved } from '../plan/remove-old-work.ts'
import { withSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import type { SettledProfile } from '../profile/settle-profile.ts'
import { findPlan, planOf } from '../references.ts'
import { useAction } from '../use-action.ts'

/**
 * Makes a plan that takes back what another one applied. It works on the user's files as they are now, so what was
 * changed since stays; what it does waits at its own gate before Apply, as the other plan's did.
 */
export async function unapplyPlan(ports: Ports, planRef: string, note: string | null): Promise<Result<Plan>> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  const refused = refusalToUnapply(ports, plan.value)
  if (refused) return refused
  if (plan.value.workRemovedAt !== null) return refuseRemoved(plan.value)
  if (!ports.sandboxes.isRecorded(plan.value.planId)) return refuseStatesGone(plan.value)
  const range = await withSession(ports, plan.value, async session => {
    const sandbox = await session.sandbox()
    if (!sandbox.ok) return sandbox
    const found = await rangeToTakeBack(ports, plan.value, sandbox.value)
    return found.ok || found.failure.code !== 'not_found' ? found : refuseStatesGone(plan.value)
  })
  if (!range.ok) return range
  const made = await useAction(ports, wanted(plan.value, range.value, note), profileFor(plan.value))
  if (made.ok) noteTakenBack(ports, plan.value, made.value)
  return made
}

/** Why there is nothing that can be taken back now; null when there is. */
function refusalToUnapply(ports: Ports, plan: Plan): Result<never> | null {
  const { name, planId, position } = plan
  const facts = { plan_id: planId }
  if (plan.appliesTo === 'parent') {
    const root = planOf(ports, plan.rootPlanId).name
    const message = `Plan ${name} is applied and taken back with ${root}: agents plan unapply ${root}.`
    return refuse('invalid_state', message, facts)
  }
  if (appliedPart(plan) === 'nothing')
    return refuse('invalid_state', `Plan ${name} applied nothing; there is nothing to take back.`, facts)
  if (!isFinal(position))
    return refuse(
      'invalid_state',
      `Plan ${name} is ${positionWords(position)} and has applied a part. Apply or reject the rest, or cancel the plan; then take it back.`,
      facts,
    )
  const by = plan.takenBackBy && ports.store.plans.find(plan.takenBackBy)
  if (!by || (isFinal(by.position) && !hasTakenBack(ports, by))) return null
  const words = isFinal(by.position)
    ? `was taken back by ${by.name} already`
    : `is being taken back by ${by.name}, which is ${positionWords(by.position)}`
  return refuse('invalid_state', `Plan ${name} ${words}. Nothing was changed.`, { ...facts, by: by.planId })
}

/** Unless that one was itself taken back since. */
function hasTakenBack(ports: Ports, by: Plan): boolean {
  if (stateOf(by.position) !== 'applied' || appliedPart(by) !== 'all') return false
  const again = by.takenBackBy && ports.store.plans.find(by.takenBackBy)
  return !again || !hasTakenBack(ports, again)
}

function refuseStatesGone({ name, planId }: Plan): Result<never> {
  return refuse(
    'not_found',
    `The recorded states of plan ${name} are gone, so what it applied cannot be taken back from here.`,
    { plan_id: planId },
  )
}

interface TakenBack {
  readonly from: SandboxState
  readonly to: SandboxState
  readonly what: string
}

/** From what was applied to what was there; what the user's files had by themselves stays. */
async function rangeToTakeBack(ports: Ports, plan: Plan, sandbox: Sandbox): Promise<Result<TakenBack>> {
  // Edits of the user that were brought in on the way were never the plan's.
  const base = baseOf(ports.store.cursors.get(plan.planId), sandbox)
  const from = plan.appliedState ?? base
  const applied = await sandbox.changes(base, from)
  if (!applied.ok) return applied
  const written = writtenBy(ports, plan)
  const found = applied.value.files.filter(file => !(written?.some(path => isNamedBy(file, path)) ?? true))
  const only = found.map(file => file.path)
  const to =
    only.length === 0
      ? ({ ok: true, value: base } as const)
      : await sandbox.choose({ from: base, to: from, choice: { kind: 'paths', only } })
  if (!to.ok) return to
  const back = await sandbox.changes(from, to.value)
  if (!back.ok) return back
  const { files, additions, deletions } = countChanges(back.value.files)
  const what = `${files} ${files === 1 ? 'file' : 'files'}, +${additions} -${deletions}`
  return { ok: true, value: { from, to: to.value, what } }
}

/** What its Applies wrote into the user's files, by their own reports; null where all it did was done in them. */
function writtenBy(ports: Ports, { planId, sandbox }: Plan): RelPath[] | null {
  const strategy = ports.sandboxes.strategy(sandbox)
  if (strategy.ok && strategy.value.place === 'in_place') return null
  return ports.store.steps.listByPlan(planId).flatMap(({ kind, status, outcome }) => {
    if (kind !== 'apply' || status !== 'done' || outcome?.kind !== 'tool_result') return []
    const paths = outcome.output['written']
    return Array.isArray(paths) ? (paths as RelPath[]) : [] // put there by applyPlan
  })
}

function wanted(plan: Plan, { from, to, what }: TakenBack, note: string | null): UseAction {
  return {
    actionName: 'builtin/unapply',
    projects: [plan.project.root],
    folder: null,
    args: { plan: plan.name, plan_id: plan.planId, what, why: note ?? 'asked for by a person', from, to },
    automationProfile: null,
    invariants: [],
    limits: {},
    name: null,
    contextId: plan.contextId,
    trust: false,
    isAttended: true,
    sandbox: null,
  }
}

/** The person has asked for exactly this, so only the question before Apply is left, by the other plan's profile. */
function profileFor({ profile, profileSource, safetySources }: Plan): SettledProfile {
  const thresholds = thresholdFor(gate => (gate === 'autoApply' ? profile.thresholds.autoApply : 0))
  return { profile: { ...profile, thresholds }, profileSource, safetySources }
}

function noteTakenBack(ports: Ports, { planId }: Plan, by: Plan): void {
  ports.store.transaction(() => savePlan(ports, { ...planOf(ports, planId), takenBackBy: by.planId }))
}
