import { describe, expect, it } from 'vitest'
import type { RecipeStep } from '../../../src/domain/actor/recipe-format.ts'
import { guardsFrom, valuesOf } from '../../../src/domain/guards/effective-guards.ts'
import { builtInProfiles } from '../../../src/domain/profile/built-in.ts'
import { alsoWaits, previewGates } from '../../../src/domain/profile/preview.ts'
import type { Guards } from '../../../src/domain/profile/profile.ts'
import { anAction, aProfile } from '../../support/records.ts'

const check: RecipeStep = {
  kind: 'validate',
  command: 'x',
  mode: 'required',
  network: false,
  discovered: false,
  fix: [],
}
const decide: RecipeStep = {
  kind: 'decide',
  id: 'd',
  type: 'strategy_choice',
  question: 'Which?',
  options: [{ id: 'a', label: 'A', rationale: '', set: {} }],
  choose: 'a',
  confidence: null,
  rationale: '',
  dependsOn: [],
  under: null,
}
const spawn: RecipeStep = {
  kind: 'spawn',
  id: 's',
  form: 'one',
  children: [{ key: 'c', action: 'local/c', args: {}, guidance: null, after: [], as: null }],
  maxParallel: 1,
  merge: 'three_way',
  question: null,
  confidence: null,
  rationale: '',
  dependsOn: [],
  under: null,
  as: null,
}

/** Gates that could come up at all, by how. */
function reached(recipe: { strategize?: RecipeStep[]; execute?: RecipeStep[] } | null, readOnly = false) {
  const action = anAction({
    readOnly,
    recipe: recipe && { strategize: recipe.strategize ?? [], execute: recipe.execute ?? [], fix: [] },
  })
  return previewGates(aProfile(), action).flatMap(each => (each.reached === 'never' ? [] : [each.gate]))
}

const always = ['autoStrategize', 'autoExecute', 'reviseStrategy', 'retryTransient', 'restoreCheckpoint']
const writes = ['autoApply', 'revertConstrainedApply']

describe('what would wait under a profile', () => {
  it.each([
    ['an action that only reads', reached({}, true), always],
    [
      'one that decides in Strategize',
      reached({ strategize: [decide] }),
      [...always, ...writes, 'decideInStrategize'],
    ],
    [
      'one that decides in Execute',
      reached({ execute: [decide] }),
      [...always, ...writes, 'decideInExecute'],
    ],
    ['one that checks', reached({ execute: [check] }), [...always, ...writes, 'fixValidations']],
    [
      'one that starts children, which may do anything',
      reached({ execute: [spawn] }),
      [...always, ...writes, 'decideInStrategize', 'decideInExecute', 'fixValidations', 'spawnChildren'],
    ],
    ['an actor that is no recipe', reached(null).length, 11],
  ])('of %s is what it could come to', (_, found, expected) => {
    expect(Array.isArray(found) ? found.toSorted() : found).toEqual(
      Array.isArray(expected) ? expected.toSorted() : expected,
    )
  })

  it('agrees with every threshold of every built-in profile', () => {
    for (const profile of builtInProfiles) {
      for (const { gate, threshold, asks } of previewGates(profile, anAction())) {
        expect(threshold).toBe(profile.thresholds[gate])
        expect(asks).toBe(threshold === 1 ? 'always' : threshold === 0 ? 'never' : 'below')
      }
    }
  })

  it('names what no confidence passes', () => {
    const strict: Guards = {
      maxToolCallsPerStep: 0,
      maxTotalCost: 0,
      toolAllowlist: [],
      toolDenylist: ['builtin/run_command'],
      requireApprovalForWrites: true,
      requireApprovalForApply: true,
    }
    const { safety } = aProfile()
    const guards = (of: Guards | null) => valuesOf(guardsFrom('profile', of))
    expect(alsoWaits({ ...safety, requireHumanApproval: true }, guards(strict))).toHaveLength(7)
    expect(alsoWaits(safety, guards(null))).toEqual([])
  })
})
