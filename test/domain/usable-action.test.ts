import { describe, expect, it } from 'vitest'
import type { Action } from '../../src/domain/action.ts'
import type { RecipeStep } from '../../src/domain/actor/recipe-format.ts'
import { refuseUnusable } from '../../src/domain/usable-action.ts'
import { decide, forEach, when } from '../support/recipe-driver.ts'

function action(execute: readonly RecipeStep[], state: Action['state'] = 'available'): Action {
  return {
    name: 'local/test',
    description: 'd',
    longDescription: null,
    definitionOfDone: 'd',
    strategyActor: 'builtin/recipe',
    executionActor: 'builtin/recipe',
    arguments: [],
    invariants: [],
    automationProfile: null,
    safetyProfile: null,
    reusable: true,
    readOnly: false,
    state,
    recipe: { strategize: [], execute },
  }
}

describe('using an action', () => {
  it('is allowed for one that is available and needs only what there is', () => {
    expect(refuseUnusable(action([decide('a'), when('${{ true }}', [decide('b')])]))).toEqual({
      ok: true,
      value: undefined,
    })
    expect(refuseUnusable({ ...action([]), recipe: null }).ok).toBe(true)
  })

  it('is refused for an archived one', () => {
    const used = refuseUnusable(action([], 'archived'))
    expect(used.ok ? null : used.failure.code).toBe('invalid_state')
  })

  it('is refused, wherever its recipe starts child plans', () => {
    const spawn: RecipeStep = { kind: 'spawn', body: { action: 'local/other' } }
    const nested = action([when('${{ true }}', [], [forEach('${{ [1] }}', 'x', [spawn])])])
    expect(refuseUnusable(nested)).toEqual({
      ok: false,
      failure: {
        code: 'not_available',
        message: 'local/test starts child plans (spawn), and child plans are not available yet.',
        facts: { action: 'local/test', step: 'spawn' },
      },
    })
  })
})
