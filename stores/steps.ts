import type { StepView } from '../src/a2a/protocol/views/step.ts'

/** The step journal of one plan as far as it was seen, with the last of each step's output. */
export interface Steps {
  readonly byId: Map<string, StepView>
  readonly outputs: Map<string, string>
}

const maxOutput = 16_384
const maxOutputs = 64

export function createSteps(): Steps {
  return { byId: new Map(), outputs: new Map() }
}

/** An answer may be older than what the events already told: an ended step never starts again. */
export function putStep(steps: Steps, step: StepView): void {
  const known = steps.byId.get(step.step_id)
  if (known && known.ended_at !== null && step.ended_at === null) return
  steps.byId.set(step.step_id, step)
}

/** Only the end is kept; the whole lies with the backend as an artifact. */
export function addOutput(steps: Steps, stepId: string, text: string): void {
  const kept = (steps.outputs.get(stepId) ?? '') + text
  steps.outputs.delete(stepId)
  steps.outputs.set(stepId, kept.length > maxOutput ? kept.slice(-maxOutput) : kept)
  const oldest = steps.outputs.keys().next().value
  if (steps.outputs.size > maxOutputs && oldest !== undefined) steps.outputs.delete(oldest)
}

export function stepsUnder(steps: Steps, decisionId: string | null): StepView[] {
  return [...steps.byId.values()].filter(step => decisionId === null || step.decision_id === decisionId)
}
