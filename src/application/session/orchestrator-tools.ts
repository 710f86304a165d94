import { limitedText } from '../../domain/actor/model/limited-text.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import type { ToolCallPart, ToolCallResult } from '../../domain/model/message.ts'
import { asData } from '../../domain/model/untrusted.ts'
import { suggest } from '../../domain/nearest.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import {
  isSessionTool,
  type SessionToolName,
  sessionTools,
  showPlanInput,
  startPlanInput,
} from '../../domain/session/orchestrator.ts'
import type { Session } from '../../domain/session/session.ts'
import type { UseAction } from '../backend/plan.ts'
import { openGatesBelow } from '../children/waiting.ts'
import type { Ports } from '../ports.ts'
import { listActions } from '../project/find-action.ts'
import { findPlan } from '../references.ts'

export interface Orchestration {
  readonly ports: Ports
  readonly session: Session
  /** Makes a plan and lets it run. */
  readonly start: (input: UseAction) => Promise<Result<Plan>>
  /** Those that this message of a person started; each that is started joins them. */
  readonly started: Plan[]
}

/** Of one result: a model reads all of it again with every answer. */
const MOST_CHARACTERS = 20_000

/** Answers one call of the model. What is wrong with it goes back as text that it can act on. */
export async function answerCall(of: Orchestration, call: ToolCallPart): Promise<ToolCallResult> {
  const { callId, tool } = call
  const answer = await run(of, call)
  const text = limitedText(answer.ok ? answer.value : answer.failure.message, MOST_CHARACTERS)
  return { callId, tool, text, isError: !answer.ok }
}

async function run(of: Orchestration, { tool, input }: ToolCallPart): Promise<Result<string>> {
  if (!isSessionTool(tool))
    return refuse('not_found', `There is no tool ${tool}. ${suggest(tool, Object.keys(sessionTools))}`)
  const read = readInput(tool, input)
  return read.ok ? perform(of, tool, read.value) : read
}

function readInput(tool: SessionToolName, text: string): Result<unknown> {
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
  } catch (error) {
    return refuse('invalid_input', `The arguments of ${tool} are no JSON: ${String(error)}`)
  }
  const parsed = sessionTools[tool].input.safeParse(value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  return refuse('invalid_input', `The arguments of ${tool} do not fit: ${faults.join('; ')}`)
}

async function perform(of: Orchestration, tool: SessionToolName, input: unknown): Promise<Result<string>> {
  const { ports, session } = of
  switch (tool) {
    case 'list_actions':
      return { ok: true, value: asData('actions', actionsText(ports)) }
    case 'list_plans':
      return {
        ok: true,
        value: asData('plans', plansText(ports.store.plans.listBySession(session.sessionId))),
      }
    case 'show_plan': {
      const plan = findPlan(ports, showPlanInput.parse(input).plan)
      return plan.ok ? { ok: true, value: planText(ports, plan.value) } : plan
    }
    case 'start_plan':
      return startPlan(of, startPlanInput.parse(input))
  }
}

/** Of one message. */
const MOST_PLANS = 5

/** How much it may do by itself is what the settings say; a model chooses neither that nor whom to trust. */
async function startPlan(
  { session, start, started }: Orchestration,
  { action, args, name }: ReturnType<typeof startPlanInput.parse>,
): Promise<Result<string>> {
  if (started.length >= MOST_PLANS)
    return refuse('denied', `One message starts at most ${MOST_PLANS} plans; the engineer can ask for more.`)
  const made = await start({
    actionName: action,
    args,
    projects: [],
    folder: session.folder,
    automationProfile: null,
    sandbox: null,
    invariants: [],
    limits: {},
    name: name ?? null,
    contextId: session.sessionId,
    trust: false,
    isAttended: true,
  })
  if (!made.ok) return made
  started.push(made.value)
  return { ok: true, value: `Started ${made.value.name} (${made.value.planId}).` }
}

function actionsText(ports: Ports): string {
  return listActions(ports)
    .filter(({ action }) => action.state === 'available')
    .map(({ action, unavailable }) => {
      const given = action.arguments.map(
        ({ name, type, required }) => `${name}: ${type}${required ? '' : '?'}`,
      )
      const state = unavailable === null ? '' : ` [cannot be used now: ${unavailable}]`
      return `${action.name}(${given.join(', ')}) - ${action.description}${state}`
    })
    .join('\n')
}

function plansText(plans: readonly Plan[]): string {
  if (plans.length === 0) return 'There are no plans in this session yet.'
  return plans.map(({ name, action, position }) => `${name}: ${action.name}, ${position}`).join('\n')
}

function planText(ports: Ports, plan: Plan): string {
  const decisions = ports.store.decisions
    .listByPlan(plan.planId)
    .filter(isActive)
    .map(
      ({ number, question, chosenOption, decidedBy }) =>
        `#${number} ${question} -> ${chosenOption.label} (${decidedBy})`,
    )
  const gates = openGatesBelow(ports, plan).map(
    ({ question, options }) =>
      `It asks: ${question} Options: ${options.map(({ label }) => label).join(' | ')}`,
  )
  const { changes } = plan
  const changed = changes
    ? `${changes.files} files changed, +${changes.additions} -${changes.deletions}`
    : 'no changes yet'
  const lines = [
    `${plan.name}: ${plan.action.name}, ${plan.position}${plan.reason === null ? '' : ` (${plan.reason})`}`,
    changed,
    ...decisions,
    ...gates,
  ]
  return asData(`plan ${plan.name}`, lines.join('\n'))
}
