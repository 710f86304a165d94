import { assertNever, refuse } from '../failure.ts'
import type { ChangeCounts } from '../sandbox/changeset.ts'
import type { ChildResult, Outcome } from './actor.ts'
import { type Proposal, proposeDecision } from './recipe-decide.ts'
import { type DecideStep, FAILED_CHECK, type RecipeStep, type Template } from './recipe-format.ts'
import { applyPairs, hearGuidance, matchOption } from './recipe-guidance.ts'
import { sourceOfReads, sourceOfResult } from './recipe-influence.ts'
import { readsOf, type Visit } from './recipe-reading.ts'
import { decisionOfSpawn, startsChildren } from './recipe-spawn.ts'
import { restartPhase } from './recipe-start.ts'
import {
  advance,
  decisionKey,
  enterList,
  NEXT_DECISION,
  own,
  type RecipeState,
  type Source,
  stepAt,
  stepPath,
  withTopFrame,
} from './recipe-state.ts'

/** Takes what came of the last request into the state. An outcome of another kind of request is a bug and throws. */
export function settle(visit: Visit, outcome: Outcome): RecipeState {
  const { state } = visit
  switch (outcome.kind) {
    case 'none':
      return state
    case 'retry':
      return { ...state, stopped: null }
    case 'decided':
      return decided(visit, outcome.optionId)
    case 'decision_rejected':
      return rejected(visit, decisionAt(visit), outcome)
    case 'guided':
      return guided(visit, outcome.guidance)
    case 'tool_result':
      return withResult(visit, stepOf(visit, 'tool'), outcome.output)
    case 'tool_refused':
      if (!state.spawning) stepOf(visit, 'tool')
      return { ...state, stopped: outcome.failure }
    case 'validated':
      return validated(visit, outcome)
    case 'answered':
      return withResult(visit, stepOf(visit, 'ask'), { option_id: outcome.optionId, note: outcome.note })
    case 'spawned':
      return spawned(visit, stepOf(visit, 'spawn'), outcome.children)
    case 'model_replied':
    case 'model_refused':
    case 'finish_refused':
      throw new Error(`a recipe asks for nothing that ${outcome.kind} could answer`)
    default:
      return assertNever(outcome)
  }
}

type StepOf<Kind extends RecipeStep['kind']> = Extract<RecipeStep, { kind: Kind }>

function stepOf<Kind extends RecipeStep['kind']>({ program, state }: Visit, kind: Kind): StepOf<Kind> {
  const step = stepAt(program.recipe, state)
  if (step?.kind === kind) return step as StepOf<Kind> // the tag was just compared
  throw new Error(`${stepPath(state)} asked for nothing that an outcome of ${kind} could answer`)
}

/** The decision that is asked for at the position; undefined where something else is. */
function decisionOrNone({ program, state }: Visit): DecideStep | undefined {
  const step = stepAt(program.recipe, state)
  if (step?.kind === 'spawn') return state.spawning ? undefined : decisionOfSpawn(step)
  return step?.kind === 'decide' ? step : undefined
}

function decisionAt(visit: Visit): DecideStep {
  return decisionOrNone(visit) ?? stepOf(visit, 'decide')
}

function decided(visit: Visit, optionId: string): RecipeState {
  const state = decisionMade(visit, decisionAt(visit), optionId)
  const step = stepAt(visit.program.recipe, state)
  if (step?.kind !== 'spawn') return advance(state)
  if (startsChildren(optionId)) return { ...state, spawning: true }
  return withChildren({ ...visit, state }, step, step.children.map(leftOut))
}

function decisionMade(visit: Visit, step: DecideStep, optionId: string): RecipeState {
  const { state } = visit
  const proposal = proposeDecision(step, visit)
  const option = proposal.kind === 'failed' ? undefined : proposal.options.find(({ id }) => id === optionId)
  const key = decisionKey(state, step.id)
  if (!option) throw new Error(`${key} has no option ${optionId}`)
  const names = Object.keys(option.set)
  const sources = names.map(name => [`vars.${name}`, sourceOfSet(visit, step, optionId, name, key)])
  return {
    ...withTopFrame(state, { lastKey: key }),
    vars: { ...state.vars, ...option.set },
    sources: { ...state.sources, ...Object.fromEntries(sources) },
    made: { ...state.made, [step.id]: [...new Set([...(own(state.made, step.id) ?? []), key])] },
    choices: choicesAfter(state, step, proposal, optionId),
  }
}

function sourceOfSet(visit: Visit, step: DecideStep, optionId: string, name: string, key: string): Source {
  const written: Template =
    typeof step.options === 'string'
      ? step.options
      : (step.options.find(({ id }) => id === optionId)?.set[name] ?? null)
  const reads = readsOf(written, visit.program.expressions)
  return { decisions: [key], project: sourceOfReads(visit.state, reads).project }
}

/** A choice of a person stays theirs when the decision is made again; words that were settled by hand are done with. */
function choicesAfter(
  state: RecipeState,
  step: DecideStep,
  proposal: Proposal,
  optionId: string,
): RecipeState['choices'] {
  if (proposal.kind !== 'proposed') return state.choices
  const { chosen, unclearGuidance, key } = proposal.request
  const settled = new Set(unclearGuidance === null ? [NEXT_DECISION] : [NEXT_DECISION, key, step.id])
  const kept = Object.fromEntries(Object.entries(state.choices).filter(([name]) => !settled.has(name)))
  return optionId === chosen ? kept : { ...kept, [key]: optionId }
}

function rejected(
  visit: Visit,
  step: DecideStep,
  { optionId, note }: { readonly optionId: string; readonly note: string | null },
): RecipeState {
  const { state } = visit
  const key = decisionKey(state, step.id)
  const ids = [...new Set([...(own(state.rejected, key) ?? []), optionId])]
  const refused = { ...state, rejected: { ...state.rejected, [key]: ids } }
  if (note === null || note.trim() === '') return refused
  return (
    placeWords({ ...visit, state: hearGuidance(refused, note, key) }, step, note) ??
    hearGuidance(refused, note, key)
  )
}

function guided(visit: Visit, guidance: string): RecipeState {
  const { program, state } = visit
  const step = stepAt(program.recipe, state)
  if (!step ? state.frames.length === 1 : step.kind === 'finish')
    return restartPhase(program, state, guidance)
  const decision = decisionOrNone(visit)
  if (decision) return guidedDecision(visit, decision, guidance)
  const heard = { ...hearGuidance(state, guidance, null), stopped: null }
  return applyPairs(program, heard, guidance, { key: null, variables: [] }) ?? heard
}

/** What cannot be placed is kept with the decision, so that its request shows it to a person. */
function guidedDecision(visit: Visit, step: DecideStep, guidance: string): RecipeState {
  const key = decisionKey(visit.state, step.id)
  const state = reopen({ ...hearGuidance(visit.state, guidance, key), stopped: null }, visit, step, guidance)
  return (
    placeWords({ ...visit, state }, step, guidance) ?? {
      ...state,
      choices: { ...state.choices, [key]: guidance },
    }
  )
}

/** Asked for by name, a rejected option is open again; and so are all of them when none was left. */
function reopen(state: RecipeState, visit: Visit, step: DecideStep, guidance: string): RecipeState {
  const key = decisionKey(state, step.id)
  const proposal = proposeDecision(step, visit)
  if (proposal.kind === 'failed') return state
  const named = matchOption(proposal.options, guidance)
  const before = own(state.rejected, key) ?? []
  const ids = named ? before.filter(id => id !== named.id) : proposal.kind === 'exhausted' ? [] : before
  return { ...state, rejected: { ...state.rejected, [key]: ids } }
}

/** Words that name an option select it, pairs are applied; null when they are neither. */
function placeWords(visit: Visit, step: DecideStep, words: string): RecipeState | null {
  const { program, state } = visit
  const key = decisionKey(state, step.id)
  const proposal = proposeDecision(step, visit)
  const options = proposal.kind === 'failed' ? [] : proposal.options
  if (matchOption(options, words)) return { ...state, choices: { ...state.choices, [key]: words } }
  const variables = options.flatMap(option => Object.keys(option.set))
  return applyPairs(program, state, words, { key, variables })
}

function withResult(
  visit: Visit,
  step: StepOf<'tool'> | StepOf<'ask'>,
  value: Readonly<Record<string, unknown>>,
): RecipeState {
  const { state, program } = visit
  if (step.as === null) return advance(state)
  const read: Template = step.kind === 'tool' ? step.with : [step.question]
  const source = sourceOfResult(state, readsOf(read, program.expressions))
  return advance({
    ...state,
    results: { ...state.results, [step.as]: value },
    sources: { ...state.sources, [step.as]: source },
  })
}

interface Told {
  readonly plan_id: string | null
  readonly state: ChildResult['state'] | 'left_out'
  readonly changes: ChangeCounts | null
}

/** What expressions see of a child that nobody started. */
function leftOut(): Told {
  return { plan_id: null, state: 'left_out', changes: null }
}

function spawned(visit: Visit, step: StepOf<'spawn'>, children: readonly ChildResult[]): RecipeState {
  const results = step.children.map(({ key }): Told => {
    const child = children.find(each => each.key === decisionKey(visit.state, key))
    if (!child) throw new Error(`${stepPath(visit.state)} was told nothing about its child ${key}`)
    return { plan_id: child.planId, state: child.state, changes: child.changes }
  })
  return withChildren(visit, step, results)
}

/** Each result under its child's name, and all of them, or the only one, under the name of the step. */
function withChildren(visit: Visit, step: StepOf<'spawn'>, results: readonly Told[]): RecipeState {
  const { state, program } = visit
  const reads = readsOf(
    step.children.flatMap(({ args, guidance }) => [args, guidance]),
    program.expressions,
  )
  const source = sourceOfResult(state, reads)
  const each = step.children.map(({ as }, index) => [as, results[index]] as const)
  const whole = [step.as, step.form === 'one' ? results[0] : results] as const
  const named = [...each, whole].flatMap(([name, value]) => (name === null ? [] : [[name, value] as const]))
  return advance({
    ...state,
    results: { ...state.results, ...Object.fromEntries(named) },
    sources: { ...state.sources, ...Object.fromEntries(named.map(([name]) => [name, source])) },
  })
}

/** At the end of the recipe it is told of checks that ran after its last step; only those that fail. */
function validated(visit: Visit, outcome: Validated): RecipeState {
  const { state, program } = visit
  const step = stepAt(program.recipe, state)
  const own = step?.kind === 'validate' ? step : null
  if (outcome.result !== 'failed' || own?.mode === 'informational') return own ? advance(state) : state
  const branch = own && own.fix.length > 0 ? 'fix' : 'repair'
  const steps = branch === 'fix' ? (own?.fix ?? []) : program.recipe.fix
  const attempt = outcome.report?.fixAttempt ?? 0
  if (attempt > 0 && steps.length > 0) return beginFix(visit, outcome, { branch, attempt })
  const path = stepPath(state)
  const { failure } = refuse('step_failed', `${path}: ${outcome.message}`, {
    step: path,
    exitCode: outcome.exitCode,
  })
  return { ...state, stopped: failure }
}

type Validated = Extract<Outcome, { kind: 'validated' }>

/** Each attempt is a round of a loop, so that its decisions and steps have names of their own. */
function beginFix(
  { state }: Visit,
  { message, exitCode, report }: Validated,
  { branch, attempt }: { readonly branch: 'fix' | 'repair'; readonly attempt: number },
): RecipeState {
  const check = {
    name: report?.validation ?? report?.command ?? '',
    command: report?.command ?? '',
    message,
    output: report?.output ?? '',
    exit_code: exitCode,
    data: report?.data ?? null,
    attempt,
  }
  const before = Array.from({ length: attempt - 1 }, () => null)
  const source = { decisions: [], project: report?.origin === 'project' }
  const loop = { name: FAILED_CHECK, items: [...before, check], at: attempt - 1, source }
  return enterList(state, { branch, because: [], loop })
}
