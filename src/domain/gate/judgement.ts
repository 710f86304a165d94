import type { GateConfidence } from '../decision/decision.ts'
import type { PlanId } from '../ids.ts'

/** What the confidence controller said about one operation of a plan, and what came of it. */
export interface Judgement {
  readonly planId: PlanId
  /** In words: `go from Strategize to Execute`, or the question of a decision. */
  readonly about: string
  readonly confidence: GateConfidence
  /** passed: the profile let it happen by itself. asked: a person was asked. */
  readonly outcome: 'passed' | 'asked'
  readonly at: string
}
