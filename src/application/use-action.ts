import type { Action } from '../domain/action.ts'
import { bindArguments } from '../domain/arguments.ts'
import { mapped, type Result, refuse } from '../domain/failure.ts'
import { asId } from '../domain/ids.ts'
import type { Plan } from '../domain/plan/plan.ts'
import type { UseAction } from './backend/plan.ts'
import { unlessByCommand } from './by-a-person.ts'
import { recordRoot } from './decision/record-root.ts'
import { limitsFor, refusalOfLimits } from './guardrails/limits-for.ts'
import { refusalWithoutMoney } from './guardrails/refuse-new-plan.ts'
import { stateForPlan, withInvariants } from './invariant/candidates.ts'
import type { Project } from './ports/project.ts'
import type { Ports } from './ports.ts'
import { rejectIfFailed, runPreflight, sandboxFor } from './preflight/run-preflight.ts'
import { type SettledProfile, settleProfile } from './profile/settle-profile.ts'
import { findAction } from './project/find-action.ts'
import { findProject } from './project/find-project.ts'
import { giveTrust } from './project/trust.ts'
import { withSettledActors } from './settle-actors.ts'

/**
 * Makes a plan from an action: checks everything that can be checked before it exists, settles its profile for good,
 * and records its root decision. The plan's owner starts it afterwards.
 */
export async function useAction(
  ports: Ports,
  input: UseAction,
  /** Settled by whoever makes the plan on a person's behalf; such a one may use actions that are not for people. */
  given: SettledProfile | null = null,
): Promise<Result<Plan>> {
  const entry = findAction(ports, input.actionName)
  if (!entry.ok) return entry
  const { action: named, unavailable: obstacle } = entry.value
  const refused = refusalOfLimits(input.limits) ?? refusalWithoutMoney(ports)
  if (refused) return refused
  const args = bindArguments(named.arguments, { kind: 'values', values: input.args })
  // Who cannot use it at all need not hear which arguments it takes.
  if (!args.ok && obstacle && !given) return refuse('not_available', obstacle, { action: named.name })
  if (!args.ok) return args
  const project = await projectFor(ports, input)
  if (!project.ok) return project
  const action = withSettledActors(ports, named, project.value.name)
  const unavailable = ports.actions.unavailable(action)
  const wanted = { asked: input.automationProfile, action, project: project.value }
  const settled = given ? { ok: true as const, value: given } : settleProfile(ports, wanted)
  if (!settled.ok) return settled
  const guardrails = limitsFor(ports, input.limits, action, given ? null : project.value.name)
  if (!guardrails.ok) return guardrails
  const planId = asId<Plan['planId']>(ports.newId())
  const sandbox = await sandboxFor(ports, {
    planId,
    project: project.value,
    safety: settled.value.profile.safety,
    asked: input.sandbox,
  })
  if (!sandbox.ok) return sandbox
  const preflight = await runPreflight(ports, {
    action,
    unavailable: given ? null : unavailable,
    project: project.value,
    resources: ports.store.resources.listByProject(project.value.name),
    profile: settled.value.profile,
    sandbox: sandbox.value.facts,
    isAttended: input.isAttended,
    standing: 'top-level',
  })
  const brief = await ports.inspector.brief(project.value)
  return ports.store.transaction(() => {
    const name = planName(ports, input.name, action)
    if (!name.ok) return name
    const made = newPlan(ports, input, action, args.value, {
      planId,
      name: name.value,
      project: brief,
      ...settled.value,
      guardrails: guardrails.value,
      preflight,
      sandbox: sandbox.value.chosen.name,
      sandboxNotice: sandbox.value.chosen.notice,
      notices: sandbox.value.chosen.notice === null ? [] : [sandbox.value.chosen.notice],
    })
    const said = input.invariants.map(text => ({ text: text.trim(), rule: null }))
    stateForPlan(ports, made, said, ports.host.user)
    const plan = withInvariants(ports, made)
    ports.store.plans.insert(plan)
    ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'PLAN_CREATED', plan })
    recordRoot(ports, plan)
    return rejectIfFailed(ports, plan)
  })
}

async function projectFor(ports: Ports, input: UseAction): Promise<Result<Project>> {
  if (input.projects.length > 1) {
    return refuse('not_available', 'A plan over several projects is not available yet; name one.', {
      projects: input.projects,
    })
  }
  const wanted = input.projects[0] ?? input.folder
  if (wanted === undefined || wanted === null) return onlyProject(ports)
  const project = await findProject(ports, wanted)
  if (!project.ok) return project
  if (!input.trust) return project
  const byCommand = unlessByCommand(ports, 'trust a folder')
  if (byCommand) return byCommand
  return mapped(await giveTrust(ports, project.value.name, null), details => details.project)
}

function onlyProject(ports: Ports): Result<Project> {
  const [first, second] = ports.store.projects.list()
  if (first && !second) return { ok: true, value: first }
  return refuse('invalid_input', 'Say on which project: a registered name or a folder.')
}

/** Without a wish a plan is named after its action, with a counter. */
function planName(ports: Ports, wanted: string | null, action: Action): Result<string> {
  const base = wanted ?? action.name.slice(action.name.lastIndexOf('/') + 1)
  const name = base.includes('/') ? base : `local/${base}`
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._:/-]{0,127}$/u.test(name)) {
    return refuse(
      'invalid_input',
      `"${base}" is no name: letters, digits, dots, dashes and underscores, at most 128.`,
    )
  }
  if (wanted !== null) {
    if (!ports.store.plans.findByName(name)) return { ok: true, value: name }
    return refuse('already_exists', `There is already a plan called ${name}; choose another name.`, { name })
  }
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name}-${count}`
    if (!ports.store.plans.findByName(candidate)) return { ok: true, value: candidate }
  }
}

type Settled = Pick<
  Plan,
  'planId' | 'name' | 'project' | 'preflight' | 'guardrails' | 'sandbox' | 'sandboxNotice' | 'notices'
> &
  SettledProfile

function newPlan(ports: Ports, input: UseAction, action: Action, args: Plan['args'], settled: Settled): Plan {
  const now = ports.clock.now()
  return {
    rootPlanId: settled.planId,
    parentPlanId: null,
    spawnDecisionId: null,
    spawnKey: null,
    appliesTo: 'project',
    startsFrom: null,
    action,
    position: 'action/queued',
    remembered: null,
    reason: null,
    attempt: 1,
    reversions: 0,
    guardOverlay: null,
    args,
    invariants: [],
    guidance: [],
    constraints: [],
    strategy: null,
    contextId: input.contextId ?? ports.newId(),
    resources: ports.store.resources.listByProject(settled.project.name),
    appliedState: null,
    left: null,
    confinement: null,
    takenBackBy: null,
    workRemovedAt: null,
    changes: null,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    endedAt: null,
    ...settled,
  }
}
