/**
 * The confidence controller: how sure the product may be about an operation, and whether that is enough.
 * Formula, weights and cold-start values: requirements GAP-01 to GAP-08.
 */
import type { ConfidenceFactors, DecisionType, GateConfidence } from '../decision/decision.ts'
import type { AutomationProfile } from '../profile/profile.ts'
import type { AutomationGate } from './automation.ts'

/** Computed confidence never reaches certainty, so that a threshold of 1 always asks (requirements X-15). */
const HIGHEST = 0.99

export interface Comparison {
  readonly gate: AutomationGate
  readonly profile: AutomationProfile
  readonly factors: ConfidenceFactors
  readonly weights: ConfidenceFactors
  /** By the actor; null where it said nothing. */
  readonly stated: number | null
}

export type Verdict = { readonly passes: boolean } & GateConfidence

/** Compares min(stated, computed) with the profile's threshold. A self-report can lower the result, never raise it. */
export function judge({ gate, profile, factors, weights, stated }: Comparison): Verdict {
  const computed = compute(factors, weights)
  const effective = stated === null ? computed : Math.min(stated, computed)
  const threshold = profile.thresholds[gate]
  return {
    passes: threshold < 1 && effective >= threshold,
    gate,
    effective,
    computed,
    stated,
    threshold,
    factors,
    weights,
  }
}

export function compute(factors: ConfidenceFactors, weights: ConfidenceFactors): number {
  const sum =
    weights.success * factors.success +
    weights.familiarity * factors.familiarity +
    weights.risk * (1 - factors.risk) +
    weights.invariants * (1 - factors.invariants)
  return round(Math.min(HIGHEST, Math.max(0, sum)))
}

/** Past success with add-one smoothing over the last outcomes; 0.5 when there are none (GAP-02). */
export function successFactor(outcomes: { readonly total: number; readonly good: number }): number {
  return (outcomes.good + 1) / (outcomes.total + 2)
}

/** 0.5 x share of the target files already read in this project + 0.5 x applied plans, up to ten (GAP-03). */
export function familiarityFactor(shareKnown: number, appliedPlans: number): number {
  return 0.5 * shareKnown + 0.5 * Math.min(1, appliedPlans / 10)
}

export type TouchKind = 'read_only' | 'checkpointable_write' | 'write' | 'irreversible' | 'unsafe'

const RISK: Record<TouchKind, number> = {
  read_only: 0.1,
  checkpointable_write: 0.3,
  write: 0.7,
  irreversible: 0.9,
  unsafe: 1,
}

/** The highest risk of what will be touched, a little more when it is many files (GAP-04). */
export function riskFactor(touches: readonly TouchKind[], resources: number): number {
  const highest = Math.max(RISK.read_only, ...touches.map(kind => RISK[kind]))
  return Math.min(1, highest + (resources > 10 ? 0.1 : 0))
}

/** How many invariants are to be kept, and how many conflicts between them were settled (GAP-04). */
export function invariantFactor(relevant: number, conflicts: number): number {
  return Math.min(1, 0.1 * relevant + 0.3 * conflicts)
}

/** Which gate a recorded decision must pass; null = recorded by the system or a person, ungated (GAP-07). */
export function gateForDecision(type: DecisionType, phase: 'strategize' | 'execute'): AutomationGate | null {
  switch (type) {
    case 'prompt_definition':
    case 'invariant_enforced':
    case 'user_intervention':
      return null
    case 'validation_response':
      return 'fixValidations'
    case 'error_recovery':
      return 'restoreCheckpoint'
    default:
      return phase === 'strategize' ? 'decideInStrategize' : 'decideInExecute'
  }
}

/** The comparison in words, one line a term, so that a person can follow it. */
export function arithmetic(confidence: GateConfidence): string[] {
  const { factors, weights } = confidence
  const term = (weight: number, name: string, value: number, how: 'as it is' | 'inverted') =>
    `${two(weight)} × ${how === 'inverted' ? `(1 − ${two(value)})` : two(value)}  ${name}`
  const needs = confidence.threshold >= 1 ? 'always asks' : `needs ${two(confidence.threshold)}`
  return [
    term(weights.success, 'past success of its kind here', factors.success, 'as it is'),
    term(weights.familiarity, 'familiarity with this project', factors.familiarity, 'as it is'),
    term(weights.risk, 'risk of what it touches', factors.risk, 'inverted'),
    term(weights.invariants, 'invariants to keep', factors.invariants, 'inverted'),
    `= ${two(confidence.computed)} computed${confidence.stated === null ? '' : `, ${two(confidence.stated)} stated: the lower counts`}`,
    `${two(confidence.effective)} against the profile: ${needs}`,
  ]
}

function two(value: number): string {
  return value.toFixed(2).replace(/^0(?=\.)/, '')
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
