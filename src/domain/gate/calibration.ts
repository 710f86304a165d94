/** Whether what actors state holds: how often decisions that passed at a stated confidence were corrected later. */
import type { DecisionType } from '../decision/decision.ts'
import { flagOf } from './automation.ts'
import { gateForDecision } from './confidence.ts'

/** Of one type, stated from `from` up to but not including `to`. */
export interface StatedBand {
  readonly type: DecisionType
  readonly from: number
  readonly to: number
  /** Taken by their actor, without a person. */
  readonly passed: number
  /** Of those, taken back by a correction. */
  readonly corrected: number
}

export interface Calibration extends StatedBand {
  /** In words; null where what is stated holds, or too little is known. Nothing is ever changed by itself. */
  readonly suggestion: string | null
}

const ENOUGH = 5

export function calibrate(band: StatedBand): Calibration {
  const { type, from, to, passed, corrected } = band
  const expected = 1 - from
  // As many as were to be expected is no reason, whatever the last binary digit says.
  if (passed < ENOUGH || corrected / passed <= expected + 1e-9) return { ...band, suggestion: null }
  const gate = gateForDecision(type, type === 'strategy_choice' ? 'strategize' : 'execute')
  const flag = gate === null ? '' : ` ${flagOf(gate)}`
  const suggestion = `${corrected} of ${passed} decisions of type ${type} stated at ${two(from)} to ${two(to)} were corrected; about ${Math.round(expected * 100)} % would be expected. A threshold${flag} of ${two(to)} would have asked about them.`
  return { ...band, suggestion }
}

function two(value: number): string {
  return value.toFixed(2).replace(/^0(?=\.)/, '')
}
