import type { ActionArgument } from '../../src/domain/action.ts'
import type { ActorRequest, Brief, ChildResult, Outcome } from '../../src/domain/actor/actor.ts'
import { nextRecipeTurn } from '../../src/domain/actor/recipe.ts'
import type {
  DecideStep,
  Recipe,
  RecipeChild,
  RecipeOption,
  RecipeStep,
  SpawnStep,
} from '../../src/domain/actor/recipe-format.ts'
import type { RecipeProgram } from '../../src/domain/actor/recipe-reading.ts'
import { startRecipe } from '../../src/domain/actor/recipe-start.ts'
import { type RecipeState, readRecipeState } from '../../src/domain/actor/recipe-state.ts'
import { asId } from '../../src/domain/ids.ts'
import { createCel } from '../../src/infrastructure/actors/cel.ts'

const cel = createCel()

export const decisionId = asId<Extract<Outcome, { kind: 'decided' }>['decisionId']>(
  '01J00000000000000000000000',
)

export const planId = asId<ChildResult['planId']>('01J00000000000000000000002')

export function brief(more: Partial<Brief> = {}): Brief {
  return {
    phase: 'execute',
    plan: { planId: '01J00000000000000000000001', name: 'local/plan-1', attempt: 1 },
    project: { name: 'local/shop', root: '/projects/shop', languages: [], checks: [] },
    action: 'local/test',
    definitionOfDone: 'done',
    args: {},
    invariants: [],
    guidance: [],
    constraints: [],
    decisions: [],
    strategy: null,
    context: null,
    above: null,
    strategyState: null,
    kept: [],
    ...more,
  }
}

/** Plays a recipe like a run loop would. Each state goes through JSON, as it does in the store. */
export interface RecipeRun {
  readonly request: ActorRequest
  readonly state: RecipeState
  tell(outcome: Outcome): RecipeRun
  /** Takes the proposed option, or the named one. */
  decide(optionId?: string): RecipeRun
  reject(note?: string): RecipeRun
  guide(guidance: string): RecipeRun
  result(output?: Readonly<Record<string, unknown>>): RecipeRun
}

export function openRecipe(
  recipe: Partial<Recipe>,
  more: Partial<Brief> & { readonly arguments?: readonly ActionArgument[] } = {},
): RecipeRun {
  const { arguments: definitions = [], ...told } = more
  const program = programOf(recipe, definitions)
  const opening = brief(told)
  return turn(program, opening, startRecipe(program, opening), { kind: 'none' })
}

export function programOf(
  recipe: Partial<Recipe>,
  definitions: readonly ActionArgument[] = [],
): RecipeProgram {
  return {
    recipe: { strategize: [], execute: [], fix: [], ...recipe },
    arguments: definitions,
    expressions: cel,
  }
}

function turn(program: RecipeProgram, told: Brief, from: RecipeState, outcome: Outcome): RecipeRun {
  const stored = readRecipeState(JSON.parse(JSON.stringify(from)))
  const { state, request } = nextRecipeTurn(program, stored, outcome, told)
  const tell = (next: Outcome) => turn(program, told, state, next)
  return {
    request,
    state,
    tell,
    decide: optionId => tell({ kind: 'decided', decisionId, optionId: optionId ?? chosenIn(request) }),
    reject: (note = '') =>
      tell({ kind: 'decision_rejected', optionId: chosenIn(request), note: note === '' ? null : note }),
    guide: guidance => tell({ kind: 'guided', guidance }),
    result: (output = {}) => tell({ kind: 'tool_result', output }),
  }
}

export function chosenIn(request: ActorRequest): string {
  if (request.kind !== 'record_decision')
    throw new Error(`no decision is asked for: ${JSON.stringify(request)}`)
  return request.chosen
}

/** Answers every request the same plain way until the phase ends; the requests on the way. */
export function playToEnd(run: RecipeRun): ActorRequest[] {
  const requests: ActorRequest[] = []
  for (let at = run; ; at = answerPlainly(at)) {
    requests.push(at.request)
    if (['finish', 'give_up', 'fail'].includes(at.request.kind)) return requests
  }
}

function answerPlainly(run: RecipeRun): RecipeRun {
  switch (run.request.kind) {
    case 'record_decision':
      return run.decide()
    case 'call_tool':
      return run.result({ paths: ['a', 'b'], count: 2 })
    case 'validate':
      return run.tell({ kind: 'validated', result: 'passed', exitCode: 0, message: 'passed', report: null })
    case 'ask':
      return run.tell({ kind: 'answered', optionId: run.request.options[0]?.id ?? null, note: null })
    case 'spawn_plans':
      return run.tell({ kind: 'spawned', children: run.request.children.map(completeChild) })
    default:
      throw new Error(`nothing answers ${run.request.kind}`)
  }
}

export function completeChild({ key }: { readonly key: string }): ChildResult {
  return { key, planId, state: 'complete', changes: { files: 1, additions: 2, deletions: 0 } }
}

export function spawn(
  children: readonly (Partial<RecipeChild> & { key: string })[],
  more: Partial<SpawnStep> = {},
): SpawnStep {
  return {
    kind: 'spawn',
    id: more.as ?? 'execute-0',
    form: 'parallel',
    children: children.map(child => ({
      action: 'local/other',
      args: {},
      guidance: null,
      after: [],
      as: null,
      ...child,
    })),
    maxParallel: 5,
    merge: 'three_way',
    question: null,
    confidence: null,
    rationale: '',
    dependsOn: [],
    under: null,
    as: null,
    ...more,
  }
}

export function option(id: string, more: Partial<RecipeOption> = {}): RecipeOption {
  return { id, label: id, rationale: null, set: {}, ...more }
}

export function decide(id: string, more: Partial<DecideStep> = {}): DecideStep {
  return {
    kind: 'decide',
    id,
    type: 'implementation_choice',
    question: `${id}?`,
    options: [option('yes'), option('no')],
    choose: null,
    confidence: null,
    rationale: '',
    dependsOn: [],
    under: null,
    ...more,
  }
}

export function tool(
  name: string,
  input: Extract<RecipeStep, { kind: 'tool' }>['with'] = {},
  as: string | null = null,
): RecipeStep {
  return { kind: 'tool', name: `builtin/${name}`, with: input, as }
}

export function when(
  condition: string,
  then: readonly RecipeStep[],
  otherwise: readonly RecipeStep[] = [],
): RecipeStep {
  return { kind: 'when', if: condition, then, else: otherwise }
}

export function forEach(over: string, as: string, steps: readonly RecipeStep[]): RecipeStep {
  return { kind: 'for_each', over, as, steps }
}

export function check(
  command: string,
  mode: 'required' | 'informational' = 'required',
  discovered = false,
): RecipeStep {
  return { kind: 'validate', network: false, command, mode, discovered, fix: [] }
}
