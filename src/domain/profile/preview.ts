import type { Action } from '../action.ts'
import { childActions, decisionsIn, hasValidation } from '../actor/recipe-walk.ts'
import { type AutomationGate, automationGateNames } from '../gate/automation.ts'
import type { EffectiveGuards } from '../guards/effective-guards.ts'
import type { AutomationProfile, SafetyProfile } from './profile.ts'

/** What one of the eleven gates does to a plan that does not exist yet. */
export interface GatePreview {
  readonly gate: AutomationGate
  readonly threshold: number
  /** below: it asks where the confidence is less than the threshold. */
  readonly asks: 'always' | 'below' | 'never'
  /** on_the_way: every plan of the action comes to it. never: the action has nothing of the kind. */
  readonly reached: 'on_the_way' | 'on_failure' | 'never'
}

/** What would wait for a person if this action ran under this profile. */
export function previewGates(profile: AutomationProfile, action: Action): GatePreview[] {
  return automationGateNames.map(gate => {
    const threshold = profile.thresholds[gate]
    return { gate, threshold, asks: asksAt(threshold), reached: reachedBy(gate, action) }
  })
}

function asksAt(threshold: number): GatePreview['asks'] {
  if (threshold >= 1) return 'always'
  return threshold > 0 ? 'below' : 'never'
}

/** An actor that is no recipe may do anything, and a child plan may too. */
function reachedBy(gate: AutomationGate, { recipe, readOnly }: Action): GatePreview['reached'] {
  const startsChildren = recipe === null || childActions(recipe).length > 0
  const may = (has: boolean) => (has || startsChildren ? 'on_the_way' : 'never')
  switch (gate) {
    case 'autoStrategize':
    case 'autoExecute':
      return 'on_the_way'
    case 'autoApply':
      return readOnly ? 'never' : 'on_the_way'
    case 'decideInStrategize':
      return may(recipe === null || decisionsIn(recipe.strategize).length > 0)
    case 'decideInExecute':
      return may(recipe === null || decisionsIn(recipe.execute).length > 0)
    case 'spawnChildren':
      return startsChildren ? 'on_the_way' : 'never'
    case 'fixValidations':
      return startsChildren || hasValidation(recipe.execute) ? 'on_failure' : 'never'
    case 'revertConstrainedApply':
      return readOnly ? 'never' : 'on_failure'
    case 'reviseStrategy':
    case 'retryTransient':
    case 'restoreCheckpoint':
      return 'on_failure'
    default:
      return gate satisfies never
  }
}

/** What else waits for a person, whatever the confidence: sentences. */
export function alsoWaits(safety: SafetyProfile, guards: EffectiveGuards): string[] {
  return [
    ...(safety.requireHumanApproval ? ['every tool call waits: the safety profile wants a person'] : []),
    ...(guards.requireApprovalForWrites ? ['every tool call that writes waits: a guard wants it'] : []),
    ...(guards.requireApprovalForApply ? ['the apply waits: a guard wants it'] : []),
    ...(guards.toolAllowlists.length > 0 ? ['tools that are not on the allowlist wait'] : []),
    ...(guards.toolDenylist.length > 0 ? ['tools on the denylist wait'] : []),
    ...(guards.maxToolCallsPerStep !== null
      ? [`more than ${guards.maxToolCallsPerStep} tool calls in one step wait`]
      : []),
    ...(guards.maxTotalCost !== null
      ? [`tool calls wait once more than ${guards.maxTotalCost.toFixed(2)} USD are spent`]
      : []),
  ]
}
