import type { SpawnRequest } from './actor.ts'
import type { DecideStep, RecipeChild, RecipeOption, SpawnStep } from './recipe-format.ts'
import { influenceClaims } from './recipe-influence.ts'
import { openReading, type Visit } from './recipe-reading.ts'
import { decisionKey, stepPath } from './recipe-state.ts'

const START = 'start'
const NONE = 'none'

/** A spawn as the decision that comes first: a person may start the children, or go on without them. */
export function decisionOfSpawn(step: SpawnStep): DecideStep {
  const { id, children, question, confidence, rationale, dependsOn, under } = step
  const isOne = children.length === 1
  return {
    kind: 'decide',
    id,
    type: isOne ? 'subplan_spawn' : 'subplan_parallel_spawn',
    question: question ?? (isOne ? 'Which child plan works here?' : 'Which child plans work here?'),
    options: [startOption(step), { id: NONE, label: 'None', rationale: null, set: {} }],
    choose: START,
    confidence,
    rationale,
    dependsOn,
    under,
  }
}

export function startsChildren(optionId: string): boolean {
  return optionId === START
}

function startOption({ form, children, maxParallel }: SpawnStep): RecipeOption {
  const label = children.map(({ key, action }) => (children.length === 1 ? action : key)).join(', ')
  return { id: START, label, rationale: howTheyRun(form, children, maxParallel), set: {} }
}

function howTheyRun(form: SpawnStep['form'], children: readonly RecipeChild[], maxParallel: number) {
  if (children.length === 1) return null
  if (form === 'sequential') return 'one after the other'
  const together = children.length > maxParallel ? `, ${maxParallel} at once` : ''
  const waits = children.some(({ after }) => after.length > 0) ? '; some wait for others' : ''
  return `side by side${together}${waits}`
}

/** The children with everything filled in, or what is wrong with them. */
export function spawnRequest(visit: Visit, step: SpawnStep): SpawnRequest | { readonly problem: string } {
  const { state } = visit
  const reading = openReading(visit)
  const children = step.children.map(child => ({
    key: decisionKey(state, child.key),
    action: child.action,
    args: Object.fromEntries(Object.entries(child.args).map(([name, given]) => [name, reading.value(given)])),
    guidance: child.guidance === null ? null : reading.text(child.guidance),
    after: child.after.map(key => decisionKey(state, key)),
  }))
  if (reading.problem !== null) return { problem: reading.problem }
  return {
    kind: 'spawn_plans',
    step: stepPath(state),
    children,
    mode: step.form === 'parallel' ? 'parallel' : 'sequential',
    maxParallel: step.maxParallel,
    merge: step.merge,
    influencedBy: influenceClaims(state, reading.reads, null),
  }
}
