import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/domain/actor/actor.ts'
import type { RecipeStep } from '../../../src/domain/actor/recipe-format.ts'
import {
  check,
  chosenIn,
  decide,
  decisionId,
  forEach,
  openRecipe,
  option,
  type RecipeRun,
  tool,
  when,
} from '../../support/recipe-driver.ts'

/** Recipes of every kind of step, with ids that are unique by their place. */
const steps = fc.letrec<{ list: readonly RecipeStep[]; step: RecipeStep }>(tie => ({
  list: fc.array(tie('step'), { maxLength: 4, depthIdentifier: 'list' }),
  step: fc.oneof(
    { depthIdentifier: 'list', maxDepth: 3 },
    fc.constantFrom<RecipeStep>(
      decide('x', { options: [option('a', { set: { v: 1 } }), option('b', { set: { v: 2 } })] }),
      decide('y', { dependsOn: ['x'], options: [option('a'), option('b')], choose: 'b' }),
      tool('use', { said: '${{ guidance }}' }, 'made'),
      check('npm test'),
      check('npm run lint', 'informational'),
      { kind: 'ask', question: 'well?', options: [option('no')], as: 'made' },
      { kind: 'assert', that: '${{ args.n < 3 }}', message: 'too many' },
    ),
    tie('list').map(list => when('${{ args.n > 1 }}', list, [])),
    tie('list').map(list => forEach('${{ args.items }}', 'item', list)),
  ),
})).list

const answers = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 12 })
const args = fc.record({ n: fc.integer({ min: 0, max: 3 }), items: fc.constantFrom([], ['p'], ['p', 'q']) })

function outcomeFor(run: RecipeRun, answer: number): Outcome | null {
  const { request } = run
  if (answer === 5) return { kind: 'guided', guidance: 'b' }
  switch (request.kind) {
    case 'record_decision': {
      const optionId = answer === 1 ? (request.options.at(-1)?.id ?? '') : chosenIn(request)
      if (answer === 2) return { kind: 'decision_rejected', optionId, note: null }
      return { kind: 'decided', decisionId, optionId }
    }
    case 'call_tool':
      if (answer === 3) return { kind: 'tool_refused', failure: { code: 'denied', message: 'no', facts: {} } }
      return { kind: 'tool_result', output: { count: answer } }
    case 'validate':
      return {
        kind: 'validated',
        result: answer === 4 ? 'failed' : 'passed',
        exitCode: answer,
        message: 'ran',
        report: null,
      }
    case 'ask':
      return { kind: 'answered', optionId: 'no', note: null }
    case 'fail':
      return { kind: 'retry' }
    default:
      return null
  }
}

describe('any recipe under any answers', () => {
  it('gives the same requests each time, and from any stored state the same request again', () => {
    fc.assert(
      fc.property(steps, args, answers, (execute, given, list) => {
        const play = (): unknown[] => {
          const requests: unknown[] = []
          let run = openRecipe({ execute }, { args: given })
          for (const answer of list) {
            requests.push(run.request)
            expect(JSON.parse(JSON.stringify(run.state))).toEqual(run.state)
            expect(run.tell({ kind: 'none' }).request).toEqual(run.request)
            const outcome = outcomeFor(run, answer)
            if (!outcome) break
            run = run.tell(outcome)
          }
          return requests
        }
        expect(play()).toEqual(play())
      }),
      { numRuns: 150, seed: 1 },
    )
  })
})
