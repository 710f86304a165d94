/**
 * After a correction the actor comes by the decisions that were kept. One that it asks for as before is answered with
 * what was decided; the same holds for the steps below it. What it asks for differently is decided and done again.
 */
import type {
  ActorRequest,
  AskRequest,
  DecisionRequest,
  SpawnRequest,
  ToolRequest,
  ValidateRequest,
} from '../actor/actor.ts'
import { canonicalJson } from '../canonical-json.ts'
import { assertNever } from '../failure.ts'
import type { Step } from '../plan/journal.ts'
import { readSpawn, type Spawn } from '../plan/spawn.ts'
import { COMMAND_TOOL } from '../tool.ts'
import type { Decision, DecisionOption } from './decision.ts'

/** Whether what is asked is what was asked when the decision was taken. Reasons and confidence may be others. */
export function isAskedAlike(kept: Decision, request: DecisionRequest): boolean {
  // Guidance that nobody could place calls for a person; and guidance that changed the proposal counts.
  const proposed = kept.proposed ?? (kept.decidedBy === 'human' ? request.chosen : kept.chosenOption.id)
  return (
    request.unclearGuidance === null &&
    request.chosen === proposed &&
    request.type === kept.type &&
    request.question === kept.question &&
    hasSameOptions(kept, request.options)
  )
}

/** Those that were recorded do not tell their order. A person may have chosen something that was no option. */
function hasSameOptions({ chosenOption, alternatives }: Decision, asked: readonly DecisionOption[]): boolean {
  const before = [chosenOption, ...alternatives].filter(({ id }) => asked.some(option => option.id === id))
  const alike = ({ id, label, rationale }: DecisionOption) =>
    asked.some(option => option.id === id && option.label === label && option.rationale === rationale)
  return before.length === asked.length && before.every(alike)
}

/** A request that leaves a row in the journal. */
export type StepRequest = ToolRequest | ValidateRequest | AskRequest | SpawnRequest

export function isStepRequest(request: ActorRequest): request is StepRequest {
  return ['call_tool', 'validate', 'ask', 'spawn_plans'].includes(request.kind)
}

/** What the row of a request says about what was asked for. */
export function stepOf(request: StepRequest): Pick<Step, 'kind' | 'tool' | 'input'> {
  switch (request.kind) {
    case 'call_tool':
      return { kind: 'tool', tool: request.tool, input: request.input }
    case 'validate': {
      const { command, network } = request
      return { kind: 'validate', tool: COMMAND_TOOL, input: network ? { command, network } : { command } }
    }
    case 'ask':
      return { kind: 'ask', tool: null, input: { question: request.question, options: request.options } }
    case 'spawn_plans': {
      const { children, mode, maxParallel, merge } = request
      return { kind: 'spawn', tool: null, input: { children, mode, maxParallel, merge } }
    }
    default:
      return assertNever(request)
  }
}

/** Whether a row answers a request at its place: it ended, and what came of it is known and no reason to try again. */
export function isAnswer({ status, outcome }: Step, request: StepRequest): boolean {
  if (outcome === null) return false
  const onlyInforms = request.kind === 'validate' && request.mode === 'informational'
  return status === 'done' || (onlyInforms && status === 'failed')
}

/** Whether a row was made for what is asked for now. It may hold more, e.g. which plans were started. */
export function isSameStep(step: Step, request: StepRequest): boolean {
  const { kind, tool, input } = stepOf(request)
  if (step.kind !== kind || step.tool !== tool) return false
  const before = kind === 'spawn' ? askedFor(readSpawn(step)) : step.input
  return canonicalJson(before) === canonicalJson(input)
}

/** Without what became of it. */
function askedFor({ mode, maxParallel, merge, children }: Spawn): Step['input'] {
  const wanted = children.map(({ key, action, args, guidance, after }) => ({
    key,
    action,
    args,
    guidance,
    after,
  }))
  return { children: wanted, mode, maxParallel, merge }
}
