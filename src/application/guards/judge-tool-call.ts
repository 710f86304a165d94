import { valuesOf } from '../../domain/guards/effective-guards.ts'
import { APPLY_OPERATION, type GuardCall, type GuardVerdict } from '../../domain/guards/guard.ts'
import { judgeCall } from '../../domain/guards/index.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { COMMAND_TOOL, type Tool } from '../../domain/tool.ts'
import { costSoFar } from '../guardrails/cost-so-far.ts'
import type { Ports } from '../ports.ts'
import { guardsOf, scopeOf } from './guards-of.ts'

export interface CallToJudge {
  /** Null: not at work on a step. */
  readonly step: string | null
  /** Its own row of the journal does not count against it. */
  readonly key: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What the guards of a plan, as they are now, say to a call. */
export async function judgeToolCall(
  ports: Ports,
  plan: Plan,
  tool: Pick<Tool, 'name' | 'capability'>,
  call: CallToJudge,
): Promise<GuardVerdict> {
  const guards = valuesOf(guardsOf(ports, ports.store.plans.find(plan.planId) ?? plan))
  const limited = guards.maxToolCallsPerStep !== null && call.step !== null
  return judgeCall(guards, {
    ...factsOf(ports, plan),
    tool: tool.name,
    isWrite: tool.capability.writes,
    callsSoFar: limited ? callsBefore(ports, plan, call) : 0,
    command: await commandOf(ports, plan.project.root, tool.name, call.input),
  })
}

/** Apply is asked about under a name of its own; it writes, and into the user's files. */
export function judgeApply(ports: Ports, plan: Plan): GuardVerdict {
  const guards = valuesOf(guardsOf(ports, ports.store.plans.find(plan.planId) ?? plan))
  return judgeCall(guards, {
    ...factsOf(ports, plan),
    tool: APPLY_OPERATION,
    isWrite: true,
    callsSoFar: 0,
    isApply: true,
    command: null,
  })
}

function factsOf(ports: Ports, plan: Plan): Pick<GuardCall, 'costSoFar' | 'scope' | 'isApply'> {
  return { costSoFar: costSoFar(ports, plan), scope: scopeOf(plan), isApply: false }
}

/** A step is one turn of the actor: all that stands at one place of a recipe, or in one answer of a model. */
function callsBefore({ store }: Ports, { planId, attempt }: Plan, { step, key }: CallToJudge): number {
  const [turn = ''] = (step ?? '').split('.')
  return store.steps.countCalls({ planId, attempt, path: turn, exceptKey: key })
}

/** The parser is loaded with the first command that a rule may be about. */
export async function commandOf(
  ports: Pick<Ports, 'shell'>,
  root: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): Promise<GuardCall['command']> {
  const { command, cwd } = input
  if (tool !== COMMAND_TOOL || typeof command !== 'string') return null
  const folder = typeof cwd === 'string' && cwd !== '.' ? cwd : ''
  return { line: { text: command, root, folder }, parse: await ports.shell() }
}
