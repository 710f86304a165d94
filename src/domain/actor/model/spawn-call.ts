import type * as z from 'zod'
import type { DecisionRequest, SpawnRequest } from '../actor.ts'
import type { spawnInput } from './own-tools.ts'

type Spawn = z.output<typeof spawnInput>

const START = 'start'

/** The decision that comes before the children: a person may start them, or go on without. */
export function decisionOfChildren(
  step: string,
  key: string,
  { children, question, rationale, confidence, depends_on, mode }: Spawn,
): DecisionRequest | { readonly problem: string } {
  const keys = children.map(child => child.key)
  if (new Set(keys).size < keys.length) return { problem: 'Two of the children have the same key.' }
  const empty = children.find(({ prompt, args }) => !prompt?.trim() && args === undefined)
  if (empty) return { problem: `Child ${empty.key} has neither a prompt nor arguments.` }
  const isOne = children.length === 1
  const how = mode === 'parallel' ? 'side by side' : 'one after the other'
  return {
    kind: 'record_decision',
    step,
    key,
    type: isOne ? 'subplan_spawn' : 'subplan_parallel_spawn',
    question: question ?? (isOne ? 'Which child plan works here?' : 'Which child plans work here?'),
    options: [
      { id: START, label: keys.join(', '), rationale: isOne ? null : how },
      { id: 'none', label: 'None', rationale: null },
    ],
    chosen: START,
    confidence,
    rationale,
    dependsOn: [...new Set(depends_on)],
    influencedBy: [],
    parentKey: null,
    unclearGuidance: null,
  }
}

export function startsChildren(optionId: string): boolean {
  return optionId === START
}

export function childrenRequest(step: string, { children, mode, max_parallel, merge }: Spawn): SpawnRequest {
  return {
    kind: 'spawn_plans',
    step,
    children: children.map(({ key, action, args, prompt, after }) => ({
      key,
      action,
      args: { ...(prompt === undefined ? {} : { prompt }), ...args },
      guidance: null,
      after,
    })),
    mode,
    maxParallel: max_parallel,
    merge,
    influencedBy: [],
  }
}
