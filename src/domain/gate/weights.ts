import type { ConfidenceFactors } from '../decision/decision.ts'
import { type Result, refuse } from '../failure.ts'
import { suggest } from '../nearest.ts'

/** How much each factor counts. Risk and invariants count inverted (requirements GAP-01). */
export const defaultWeights: ConfidenceFactors = {
  success: 0.3,
  familiarity: 0.2,
  risk: 0.3,
  invariants: 0.2,
}

const names = Object.keys(defaultWeights) as (keyof ConfidenceFactors)[] // keys of the line above

/** As the setting writes them: `success 0.3, familiarity 0.2, risk 0.3, invariants 0.2`. They must sum to 1. */
export function readWeights(text: string): Result<ConfidenceFactors> {
  const found = new Map<string, number>()
  for (const part of text.split(',')) {
    const [name = '', number = ''] = part.trim().split(/[\s=:]+/)
    const value = Number(number)
    if (!names.some(known => known === name))
      return wrong(`has no weight called ${name}. ${suggest(name, names)}`)
    if (number === '' || !(value >= 0 && value <= 1)) return wrong(`needs a number from 0 to 1 for ${name}.`)
    if (found.has(name)) return wrong(`names ${name} twice.`)
    found.set(name, value)
  }
  const missing = names.filter(name => !found.has(name))
  if (missing.length > 0) return wrong(`lacks ${missing.join(', ')}.`)
  const sum = Math.round([...found.values()].reduce((total, each) => total + each, 0) * 1e6) / 1e6
  if (sum !== 1) return wrong(`must sum to 1, and these sum to ${sum}.`)
  const of = (name: keyof ConfidenceFactors) => found.get(name) ?? 0
  return {
    ok: true,
    value: {
      success: of('success'),
      familiarity: of('familiarity'),
      risk: of('risk'),
      invariants: of('invariants'),
    },
  }
}

function wrong(what: string) {
  return refuse('invalid_input', `confidence.weights ${what}`, { key: 'confidence.weights' })
}
