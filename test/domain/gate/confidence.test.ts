import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ConfidenceFactors, decisionTypes } from '../../../src/domain/decision/decision.ts'
import { type AutomationGate, automationGateNames } from '../../../src/domain/gate/automation.ts'
import {
  arithmetic,
  compute,
  familiarityFactor,
  gateForDecision,
  invariantFactor,
  judge,
  riskFactor,
  successFactor,
} from '../../../src/domain/gate/confidence.ts'
import { defaultWeights, readWeights } from '../../../src/domain/gate/weights.ts'
import { builtInProfiles } from '../../../src/domain/profile/built-in.ts'
import type { AutomationProfile } from '../../../src/domain/profile/profile.ts'

function profile(name: string): AutomationProfile {
  const found = builtInProfiles.find(each => each.name === name)
  if (!found) throw new Error(`no profile ${name}`)
  return found
}

const weights = defaultWeights

function against(gate: AutomationGate, name: string, factors: ConfidenceFactors, stated: number | null) {
  return judge({ gate, profile: profile(name), factors, weights, stated })
}

describe('computed confidence', () => {
  it('is .54 at a cold start with one checkpointable write and one invariant', () => {
    const factors = {
      success: successFactor({ total: 0, good: 0 }),
      familiarity: familiarityFactor(0, 0),
      risk: riskFactor(['checkpointable_write'], 1),
      invariants: invariantFactor(1, 0),
    }
    expect(compute(factors, weights)).toBe(0.54)
    expect(against('decideInStrategize', 'cautious', factors, null).passes).toBe(false)
  })

  it('is .76 with a good history, which passes .7 and fails .8', () => {
    const factors = { success: 0.8, familiarity: 0.5, risk: 0.2, invariants: 0.1 }
    expect(compute(factors, weights)).toBe(0.76)
    expect(against('autoExecute', 'cautious', factors, null).passes).toBe(true)
    expect(against('decideInExecute', 'cautious', factors, null).passes).toBe(false)
  })

  it('stays within 0 and .99 whatever the factors are', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(unit, unit, unit, unit, (success, familiarity, risk, invariants) => {
        const confidence = compute({ success, familiarity, risk, invariants }, weights)
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(0.99)
      }),
    )
  })

  it('rates the riskiest thing that is touched, and many files a little higher', () => {
    expect(riskFactor(['read_only'], 1)).toBe(0.1)
    expect(riskFactor(['read_only', 'unsafe', 'write'], 1)).toBe(1)
    expect(riskFactor(['checkpointable_write'], 11)).toBeCloseTo(0.4)
    expect(riskFactor(['unsafe'], 11)).toBe(1)
  })
})

describe('the comparison with a threshold', () => {
  const certain = { success: 1, familiarity: 1, risk: 0, invariants: 0 }
  const hopeless = { success: 0, familiarity: 0, risk: 1, invariants: 1 }

  it.each(automationGateNames)('always asks at 1 and always passes at 0 for %s', gate => {
    expect(against(gate, 'manual', certain, 1).passes).toBe(false)
    expect(against(gate, 'full-auto', hopeless, 0).passes).toBe(true)
  })

  it('lets a self-report lower the result but never raise it', () => {
    const low = against('autoExecute', 'cautious', certain, 0.2)
    const high = against('autoExecute', 'cautious', hopeless, 0.95)
    expect([low.passes, low.effective]).toEqual([false, 0.2])
    expect([high.passes, high.effective]).toEqual([false, 0])
  })

  it('can be followed in words', () => {
    const factors = { success: 0.5, familiarity: 0, risk: 0.3, invariants: 0.1 }
    const verdict = against('decideInExecute', 'cautious', factors, 0.9)
    expect(arithmetic(verdict)).toEqual([
      '.30 × .50  past success of its kind here',
      '.20 × .00  familiarity with this project',
      '.30 × (1 − .30)  risk of what it touches',
      '.20 × (1 − .10)  invariants to keep',
      '= .54 computed, .90 stated: the lower counts',
      '.54 against the profile: needs .80',
    ])
  })
})

describe('the weights', () => {
  it('are read as they are set, in any order', () => {
    const read = readWeights('risk 0.25, invariants=0.25, success: 0.5, familiarity 0')
    expect(read).toEqual({
      ok: true,
      value: { success: 0.5, familiarity: 0, risk: 0.25, invariants: 0.25 },
    })
  })

  it.each([
    ['success 0.3, familiarity 0.2, risk 0.3, invariants 0.3', 'must sum to 1, and these sum to 1.1.'],
    ['success 0.5, risk 0.5', 'lacks familiarity, invariants.'],
    ['succes 0.5', 'has no weight called succes. Did you mean success?'],
    ['success 0.5, success 0.5', 'names success twice.'],
    ['success -1', 'needs a number from 0 to 1 for success.'],
    ['success', 'needs a number from 0 to 1 for success.'],
  ])('are refused as %s', (text, why) => {
    const read = readWeights(text)
    expect(!read.ok && read.failure.message).toContain(`confidence.weights ${why}`)
  })

  it('decide which factor counts', () => {
    const factors = { success: 1, familiarity: 0, risk: 1, invariants: 1 }
    expect(compute(factors, { success: 1, familiarity: 0, risk: 0, invariants: 0 })).toBe(0.99)
    expect(compute(factors, { success: 0, familiarity: 0, risk: 1, invariants: 0 })).toBe(0)
  })
})

/** The table of the guide: every flag of every built-in against confidence below, at and above its threshold. */
describe.each(builtInProfiles)('profile $name', profile => {
  it.each(automationGateNames)('lets %s pass from its threshold on, and never where it is 1', gate => {
    const threshold = profile.thresholds[gate]
    const passes = (effective: number) => {
      const factors = { success: 1, familiarity: 1, risk: 0, invariants: 0 }
      return judge({ gate, profile, factors, weights, stated: effective }).passes
    }
    const around = [threshold - 0.01, threshold, threshold + 0.01].filter(each => each >= 0 && each <= 1)
    expect(around.map(passes)).toEqual(around.map(each => threshold < 1 && each >= threshold))
  })
})

describe('the gate of a decision', () => {
  it('is none for what the system or a person records', () => {
    const ungated = decisionTypes.filter(type => gateForDecision(type, 'strategize') === null)
    expect(ungated).toEqual(['prompt_definition', 'invariant_enforced', 'user_intervention'])
  })

  it('depends on the phase for the choices of an actor', () => {
    expect(gateForDecision('strategy_choice', 'strategize')).toBe('decideInStrategize')
    expect(gateForDecision('implementation_choice', 'execute')).toBe('decideInExecute')
    expect(gateForDecision('validation_response', 'execute')).toBe('fixValidations')
    expect(gateForDecision('error_recovery', 'execute')).toBe('restoreCheckpoint')
  })
})
