import { describe, expect, it } from 'vitest'
import type { Action } from '../../../src/domain/action.ts'
import type { Actor } from '../../../src/domain/actor/actor.ts'
import type { Result } from '../../../src/domain/failure.ts'
import { createCel } from '../../../src/infrastructure/actors/cel.ts'
import { createActors } from '../../../src/infrastructure/actors/index.ts'
import { describeActor } from '../../contracts/actor.ts'
import { modelsOf } from '../../support/models.ts'
import { brief, check, decide, decisionId, forEach, option, tool } from '../../support/recipe-driver.ts'

const actors = createActors({
  expressions: createCel(),
  models: modelsOf({}),
  tools: [],
  maxMalformed: () => 3,
})

const action: Action = {
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
  guards: null,
  guardrails: null,
  reusable: true,
  readOnly: false,
  maxFixAttempts: 3,
  state: 'available',
  recipe: {
    strategize: [],
    fix: [],
    execute: [
      decide('where', { options: [option('src', { set: { glob: 'src/**' } }), option('all')] }),
      tool('list_files', { glob: '${{ vars.glob }}' }, 'files'),
      forEach('${{ files.paths }}', 'path', [decide('edit', { question: 'edit ${{ path }}?' })]),
      check('npm test'),
    ],
  },
}

function value(actor: Result<Actor>): Actor {
  if (!actor.ok) throw new Error(actor.failure.message)
  return actor.value
}

describeActor('a recipe', () => ({
  actor: value(actors.forAction(action, 'execute')),
  brief: brief(),
  outcomes: [
    { kind: 'decided', decisionId, optionId: 'src' },
    { kind: 'tool_result', output: { paths: ['a', 'b'] } },
    { kind: 'decided', decisionId, optionId: 'yes' },
    { kind: 'decision_rejected', optionId: 'yes', note: 'rather not' },
    { kind: 'decided', decisionId, optionId: 'no' },
    { kind: 'validated', result: 'failed', exitCode: 1, message: 'npm test failed', report: null },
    { kind: 'retry' },
    { kind: 'validated', result: 'passed', exitCode: 0, message: 'npm test passed', report: null },
  ],
}))

describe('finding an actor', () => {
  it('follows the phase', () => {
    const mixed = { ...action, strategyActor: 'openai/x' }
    expect(actors.forAction(mixed, 'strategize').ok).toBe(false)
    expect(actors.forAction(mixed, 'execute').ok).toBe(true)
    expect(
      actors
        .list()
        .filter(each => each.available)
        .map(({ name, available }) => ({ name, available })),
    ).toEqual([{ name: 'builtin/recipe', available: true }])
  })

  function refusal(name: string, of: Action = action): string {
    const actor = actors.forAction({ ...of, executionActor: name }, 'execute')
    return actor.ok ? '' : `${actor.failure.code}: ${actor.failure.message}`
  }

  it.each([
    ['model', /^not_available: No model can be used yet/],
    ['openai/x', /^unauthenticated: OPENAI_API_KEY is not set/],
    ['opnai/y', /^not_found: There is no provider opnai .* Did you mean openai\?/],
  ])('says what the model actor %s lacks', (name, expected) => {
    expect(refusal(name)).toMatch(expected)
  })

  it('suggests the nearest name for an unknown one', () => {
    expect(refusal('builtin/recpie')).toBe(
      'not_found: There is no actor builtin/recpie. Did you mean builtin/recipe?',
    )
    expect(refusal('constructor')).toBe('not_found: There is no actor constructor. Known: builtin/recipe.')
  })

  it('refuses an action that has no recipe', () => {
    expect(refusal('builtin/recipe', { ...action, recipe: null })).toBe(
      'invalid_input: local/test names the actor builtin/recipe but has no recipe.',
    )
  })
})
