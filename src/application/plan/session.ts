/** What is held open while a plan runs here: its sandbox. Opened when first needed, closed once at the end. */
import type { Actor, Brief } from '../../domain/actor/actor.ts'
import type { Decision } from '../../domain/decision/decision.ts'
import type { Result } from '../../domain/failure.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import { hardBlock } from '../gate/hard-block.ts'
import type { Ports } from '../ports.ts'
import { refuseRemoved } from './remove-old-work.ts'

export interface PlanSession {
  readonly ports: Ports
  readonly planId: PlanId
  /** Whatever is under way ends at once. */
  readonly signal: AbortSignal
  /** The plan is to stop after its step: what changes nothing ends at once, the rest goes to its end. */
  readonly pausing: AbortSignal
  sandbox(): Promise<Result<Sandbox>>
  /** Lets another plan run, unless a living process has it. */
  start(planId: PlanId): void
  /** Puts the sandbox aside; the next use makes a new one from the user's present tree. */
  renewSandbox(): Promise<Result<void>>
  /** Whether something was not done here for a while; it counts as done now. */
  isDue(what: string, everyMs: number): boolean
  close(): Promise<void>
}

export interface Opening {
  readonly signal: AbortSignal
  readonly pausing: AbortSignal
  readonly start: PlanSession['start']
}

export function openSession(ports: Ports, plan: Plan, { signal, pausing, start }: Opening): PlanSession {
  let opened: Sandbox | null = null
  const { planId, startsFrom } = plan
  const spec = { planId, projectRoot: plan.project.root, ...(startsFrom && { startsFrom }) }
  const doneAt = new Map<string, number>()
  return { ports, planId, signal, pausing, start, sandbox, renewSandbox, isDue, close }

  function isDue(what: string, everyMs: number): boolean {
    const now = Date.parse(ports.clock.now())
    if (now - (doneAt.get(what) ?? Number.NEGATIVE_INFINITY) < everyMs) return false
    doneAt.set(what, now)
    return true
  }

  async function sandbox(): Promise<Result<Sandbox>> {
    if (opened) return { ok: true, value: opened }
    if (plan.workRemovedAt !== null) return refuseRemoved(plan)
    const strategy = ports.sandboxes.strategy(plan.sandbox, plan.resources)
    if (!strategy.ok) return strategy
    const result = await strategy.value.open(spec, signal)
    if (result.ok) opened = result.value
    // A checkpoint of a large folder must not hold up whoever stops the plan.
    if (result.ok) signal.addEventListener('abort', () => void result.value.close(), { once: true })
    return result
  }

  async function renewSandbox(): Promise<Result<void>> {
    await close()
    const strategy = ports.sandboxes.strategy(plan.sandbox, plan.resources)
    if (!strategy.ok) return strategy
    await strategy.value.renew(plan.planId)
    return { ok: true, value: undefined }
  }

  async function close(): Promise<void> {
    await opened?.close()
    opened = null
  }
}

/** A session for looking only: the plan may be running meanwhile, here or elsewhere. */
export async function withSession<Value>(
  ports: Ports,
  plan: Plan,
  look: (session: PlanSession) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const { signal } = new AbortController()
  const session = openSession(ports, plan, { signal, pausing: signal, start: () => {} })
  try {
    return await look(session)
  } finally {
    await session.close()
  }
}

/** `begins`: only then is it told what only a first state needs. */
export function briefFor(
  { store }: Pick<Ports, 'store'>,
  plan: Plan,
  phase: 'strategize' | 'execute',
  begins: Partial<Pick<Brief, 'strategyState' | 'kept' | 'context' | 'above'>>,
): Brief {
  return {
    phase,
    plan: { planId: plan.planId, name: plan.name, attempt: plan.attempt },
    project: plan.project,
    action: plan.action.name,
    definitionOfDone: plan.action.definitionOfDone,
    args: plan.args,
    invariants: plan.invariants.map(({ text }) => text),
    guidance: plan.guidance,
    constraints: plan.constraints,
    decisions: phase === 'execute' ? strategyDecisions(store.decisions.listByPlan(plan.planId)) : [],
    strategy: plan.strategy?.text ?? null,
    strategyState: null,
    context: null,
    above: null,
    kept: [],
    ...begins,
  }
}

/** Those of an actor; a person's guidance is told apart. */
function strategyDecisions(decisions: readonly Decision[]): Brief['decisions'] {
  return decisions.filter(isStrategy).map(({ key, question, chosenOption, rationale, decidedBy }) => ({
    key,
    question,
    chosen: chosenOption.label,
    rationale,
    decidedBy: decidedBy === 'human' ? 'human' : 'actor',
  }))
}

function isStrategy(decision: Decision): boolean {
  return isActive(decision) && decision.phase === 'strategize' && decision.key !== null
}

export function actorFor(ports: Ports, plan: Plan, phase: 'strategize' | 'execute'): Result<Actor> {
  const allowed = ports.tools.list().filter(tool => hardBlock(plan, tool) === null)
  return ports.actors.forAction(plan.action, phase, allowed)
}
