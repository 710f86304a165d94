import { createGates, type Gates } from './gates.ts'
import { createLog, type Log } from './log.ts'
import type { PlanTree } from './plan-tree.ts'
import { createPlans, type Plans } from './plans.ts'
import { createSteps, type Steps } from './steps.ts'

/** Everything known from the backend. Changed in place, and only by apply-event and by loading. */
export interface Model {
  readonly plans: Plans
  readonly gates: Gates
  readonly trees: Map<string, PlanTree>
  readonly steps: Map<string, Steps>
  readonly logs: Map<string, Log>
  /** The last event applied; a reconnect goes on from here. */
  lastSeq: number
}

export function createModel(): Model {
  return {
    plans: createPlans(),
    gates: createGates(),
    trees: new Map(),
    steps: new Map(),
    logs: new Map(),
    lastSeq: 0,
  }
}

export function stepsOf(model: Model, planId: string): Steps {
  return entry(model.steps, planId, createSteps)
}

export function logOf(model: Model, planId: string): Log {
  return entry(model.logs, planId, createLog)
}

function entry<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = create()
  map.set(key, made)
  return made
}
