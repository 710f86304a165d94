import { assertNever, type Failure, refuse } from '../failure.ts'
import type { ActorRequest, ValidateRequest } from './actor.ts'
import { proposeDecision, readOptions, withoutSet } from './recipe-decide.ts'
import type { DecideStep, RecipeStep } from './recipe-format.ts'
import { influenceClaims, readClaims, sourceOfReads } from './recipe-influence.ts'
import { openReading, type Reading, type Visit } from './recipe-reading.ts'
import { decisionOfSpawn, spawnRequest } from './recipe-spawn.ts'
import { advance, enterList, leaveList, type RecipeState, stepPath } from './recipe-state.ts'

/** What a step asks for, or the state behind it where it asks for nothing. Undefined stands for the end of a list. */
export function visitStep(visit: Visit, step: RecipeStep | undefined): ActorRequest | RecipeState {
  if (!step) return endOfList(visit)
  switch (step.kind) {
    case 'decide':
      return decide(visit, step)
    case 'tool':
      return callTool(visit, step)
    case 'when':
      return branch(visit, step)
    case 'for_each':
      return loop(visit, step)
    case 'assert':
      return assertThat(visit, step)
    case 'validate':
      return validate(visit, step)
    case 'ask':
      return ask(visit, step)
    case 'finish':
      return finish(visit, step)
    case 'spawn':
      return spawn(visit, step)
    default:
      return assertNever(step)
  }
}

export function failed(state: RecipeState, failure: Failure): ActorRequest {
  return { kind: 'fail', step: stepPath(state), failure }
}

type StepOf<Kind extends RecipeStep['kind']> = Extract<RecipeStep, { kind: Kind }>

function decide(visit: Visit, step: DecideStep): ActorRequest {
  const proposal = proposeDecision(step, visit)
  if (proposal.kind === 'proposed') return proposal.request
  if (proposal.kind === 'failed') return stepFailed(visit.state, proposal.message)
  return { kind: 'give_up', step: stepPath(visit.state), constraint: proposal.constraint }
}

function callTool(visit: Visit, step: StepOf<'tool'>): ActorRequest {
  const { state } = visit
  const reading = openReading(visit)
  const input = Object.entries(step.with).map(([name, value]) => [name, reading.value(value)])
  const costUsd = reading.value(step.costUsd ?? 0)
  if (reading.problem !== null) return stepFailed(state, reading.problem)
  if (typeof costUsd !== 'number' || !Number.isFinite(costUsd) || costUsd < 0)
    return stepFailed(state, `cost_usd must be an amount of 0 or more, not ${JSON.stringify(costUsd)}.`)
  return {
    kind: 'call_tool',
    step: stepPath(state),
    tool: step.name,
    input: Object.fromEntries(input),
    costUsd,
    influencedBy: influenceClaims(state, reading.reads, null),
  }
}

function branch(visit: Visit, step: StepOf<'when'>): ActorRequest | RecipeState {
  const reading = openReading(visit)
  const holds = readTruth('if', reading.value(step.if), reading)
  if (typeof holds === 'string') return stepFailed(visit.state, holds)
  const because = readClaims(visit.state, reading.reads)
  return enterList(visit.state, { branch: holds ? 'then' : 'else', because, loop: null })
}

function loop(visit: Visit, step: StepOf<'for_each'>): ActorRequest | RecipeState {
  const { state } = visit
  const reading = openReading(visit)
  const items = reading.value(step.over)
  if (reading.problem !== null) return stepFailed(state, reading.problem)
  if (!Array.isArray(items)) return stepFailed(state, `over must be a list, not ${JSON.stringify(items)}.`)
  if (items.length === 0) return advance(state)
  return enterList(state, {
    branch: 'steps',
    because: readClaims(state, reading.reads),
    loop: { name: step.as, items, at: 0, source: sourceOfReads(state, reading.reads) },
  })
}

function assertThat(visit: Visit, step: StepOf<'assert'>): ActorRequest | RecipeState {
  const reading = openReading(visit)
  const holds = readTruth('that', reading.value(step.that), reading)
  if (typeof holds === 'string') return stepFailed(visit.state, holds)
  if (holds) return advance(visit.state)
  const message = reading.text(step.message)
  return stepFailed(visit.state, reading.problem ?? message)
}

function validate(visit: Visit, step: StepOf<'validate'>): ActorRequest {
  const { state } = visit
  const reading = openReading(visit)
  const command = reading.value(step.command)
  if (reading.problem !== null) return stepFailed(state, reading.problem)
  if (typeof command !== 'string' || command.trim() === '')
    return stepFailed(state, `command must be a text, not ${JSON.stringify(command)}.`)
  const discovered = step.discovered || sourceOfReads(state, reading.reads).project
  const origin: ValidateRequest['origin'] = discovered ? 'project' : 'action'
  const { mode, network } = step
  const fixable = [...step.fix, ...visit.program.recipe.fix].length > 0
  const influencedBy = influenceClaims(state, reading.reads, null)
  return { kind: 'validate', step: stepPath(state), command, mode, network, origin, fixable, influencedBy }
}

function ask(visit: Visit, step: StepOf<'ask'>): ActorRequest {
  const reading = openReading(visit)
  const question = reading.text(step.question)
  const options = readOptions(step.options, reading)
  if (typeof options === 'string') return stepFailed(visit.state, options)
  const influencedBy = influenceClaims(visit.state, reading.reads, null)
  return {
    kind: 'ask',
    step: stepPath(visit.state),
    question,
    options: options.map(withoutSet),
    influencedBy,
  }
}

function finish(visit: Visit, step: StepOf<'finish'>): ActorRequest {
  const reading = openReading(visit)
  const note = step.note === null ? null : reading.text(step.note)
  if (reading.problem !== null) return stepFailed(visit.state, reading.problem)
  return finishing(visit, note)
}

/** First whether the children start at all, then, under that decision, the children. */
function spawn(visit: Visit, step: StepOf<'spawn'>): ActorRequest {
  if (!visit.state.spawning) return decide(visit, decisionOfSpawn(step))
  const request = spawnRequest(visit, step)
  return 'problem' in request ? stepFailed(visit.state, request.problem) : request
}

function endOfList(visit: Visit): ActorRequest | RecipeState {
  return leaveList(visit.state) ?? finishing(visit, null)
}

function finishing({ program, state }: Visit, note: string | null): ActorRequest {
  return {
    kind: 'finish',
    step: stepPath(state),
    note,
    fixesChecks: program.recipe.fix.length > 0,
    strategy: null,
    claims: null,
  }
}

function readTruth(name: string, value: unknown, reading: Reading): boolean | string {
  if (reading.problem !== null) return reading.problem
  return typeof value === 'boolean' ? value : `${name} must be true or false, not ${JSON.stringify(value)}.`
}

function stepFailed(state: RecipeState, message: string): ActorRequest {
  const step = stepPath(state)
  return failed(state, refuse('step_failed', `${step}: ${message}`, { step }).failure)
}
