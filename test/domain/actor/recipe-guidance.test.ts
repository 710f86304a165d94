import { describe, expect, it } from 'vitest'
import type { ActionArgument } from '../../../src/domain/action.ts'
import { nextRecipeTurn } from '../../../src/domain/actor/recipe.ts'
import { readPairs } from '../../../src/domain/actor/recipe-guidance.ts'
import {
  brief,
  decide,
  decisionId,
  forEach,
  openRecipe,
  option,
  programOf,
  type RecipeRun,
  tool,
} from '../../support/recipe-driver.ts'

const where = decide('where', {
  options: [
    option('src', { label: 'Only src', set: { glob: 'src/**', deep: false } }),
    option('all', { label: 'Everywhere', set: { glob: '**', deep: true } }),
    option('top', { label: 'Top', set: { glob: '*', deep: false } }),
  ],
  choose: 'src',
  rationale: 'small first',
})

const edit = decide('edit', { options: [option('replace'), option('rewrite')] })

const use = tool('use', { glob: '${{ vars.glob }}', deep: '${{ vars.deep }}', find: '${{ args.find }}' })

const definitions: readonly ActionArgument[] = [
  { name: 'find', type: 'string', required: true, default: null, description: '', values: [] },
  { name: 'limit', type: 'integer', required: false, default: 1, description: '', values: [] },
]

function open(guidance: readonly string[] = []): RecipeRun {
  return openRecipe(
    { execute: [where, edit, use] },
    { args: { find: 'a', limit: 1 }, arguments: definitions, guidance },
  )
}

describe('guidance at a decision', () => {
  it.each(['all', ' ALL ', 'Everywhere', 'everywhere '])('selects the option that %j names', guidance => {
    expect(open().guide(guidance).request).toMatchObject({
      key: 'where',
      chosen: 'all',
      rationale: `a person asked for ${JSON.stringify(guidance)}`,
      unclearGuidance: null,
    })
  })

  it('that nobody can place goes with the request, so that a person chooses', () => {
    const guided = open().guide('rather not the tests')
    expect(guided.request).toMatchObject({ chosen: 'src', unclearGuidance: 'rather not the tests' })
    expect(guided.decide('all').request).toMatchObject({ key: 'edit', unclearGuidance: null })
  })

  it('with pairs sets variables over what options set, in the type they had', () => {
    const guided = open().decide('src').guide('deep=true, glob=lib/**')
    expect(guided.request).toMatchObject({ key: 'edit', unclearGuidance: null })
    expect(guided.decide().request).toMatchObject({ input: { glob: 'lib/**', deep: true } })
  })

  it('with pairs names arguments in their type', () => {
    expect(open().guide('find="two words" limit=3').decide().decide().request).toMatchObject({
      input: { find: 'two words' },
    })
    expect(open().guide('find="two words" limit=3').state.args).toEqual({ find: 'two words', limit: 3 })
  })

  it.each([
    ['an unknown name', 'golb=x'],
    ['a value of the wrong type', 'limit=many'],
    ['one unknown name among known ones', 'find=b, golb=x'],
    ['words before a pair', 'please find=b'],
  ])('with %s is unclear as a whole', (_, guidance) => {
    const guided = open().guide(guidance)
    expect(guided.request).toMatchObject({ key: 'where', unclearGuidance: guidance })
    expect(guided.state.args).toEqual({ find: 'a', limit: 1 })
  })

  it('reaches later decisions by their id', () => {
    const guided = open().guide('where=all edit=rewrite')
    expect(guided.request).toMatchObject({ key: 'where', chosen: 'all' })
    expect(guided.decide().request).toMatchObject({ key: 'edit', chosen: 'rewrite' })
  })

  it('is read by expressions as the newest words', () => {
    const echo = openRecipe({ execute: [decide('a'), tool('use', { said: '${{ guidance }}' })] })
    expect(echo.decide().request).toMatchObject({ input: { said: '' } })
    expect(echo.guide('yes').decide().request).toMatchObject({
      input: { said: 'yes' },
      influencedBy: [{ key: 'a', why: 'reads the guidance given at a' }],
    })
  })

  it('reaches one round of a loop by its key and all rounds by the id', () => {
    const rounds = (guidance: string) => {
      const first = openRecipe({ execute: [decide('a'), forEach('${{ [1, 2] }}', 'n', [edit])] }).guide(
        guidance,
      )
      const second = first.decide()
      return [second.request, second.decide().request]
    }
    expect(rounds('edit=rewrite')).toMatchObject([{ chosen: 'rewrite' }, { chosen: 'rewrite' }])
    expect(rounds('edit[1]=rewrite')).toMatchObject([{ chosen: 'replace' }, { chosen: 'rewrite' }])
  })
})

describe('a rejection', () => {
  it('proposes the next option that was not rejected, and gives up when none is left', () => {
    const once = open().reject()
    expect(once.request).toMatchObject({
      chosen: 'all',
      rationale: 'src was rejected',
      unclearGuidance: null,
    })
    const twice = once.reject('too much')
    expect(twice.request).toMatchObject({ chosen: 'top', unclearGuidance: null })
    expect(twice.reject().request).toEqual({
      kind: 'give_up',
      step: 'execute[0]',
      constraint: 'Every option of where was rejected: src, all, top.',
    })
  })

  it('takes its note as guidance where it names an option', () => {
    expect(open().reject('top').request).toMatchObject({ chosen: 'top' })
    expect(open().reject('find=b').state.args).toEqual({ find: 'b', limit: 1 })
  })

  it('does not bring back what the note rejects by name', () => {
    expect(open().reject('src').request).toMatchObject({ chosen: 'all' })
  })

  it('is taken back by guidance that names the option', () => {
    expect(open().reject().guide('src').request).toMatchObject({ chosen: 'src' })
  })

  it('of everything is taken back by any guidance', () => {
    const none = open().reject().reject().reject()
    expect(none.guide('start over').request).toMatchObject({ chosen: 'src', unclearGuidance: 'start over' })
  })
})

describe('guidance between decisions', () => {
  it('after the end of a phase runs the phase again, and keeps what people chose', () => {
    const ended = openRecipe({ execute: [where, edit] })
      .decide('top')
      .decide()
    expect(ended.request.kind).toBe('finish')
    const again = ended.guide('edit=rewrite')
    expect(again.request).toMatchObject({ key: 'where', chosen: 'top' })
    expect(again.decide().request).toMatchObject({ key: 'edit', chosen: 'rewrite' })
  })

  it('given with the brief waits for its decision', () => {
    expect(open(['edit=rewrite']).decide().request).toMatchObject({ key: 'edit', chosen: 'rewrite' })
    expect(open(['rewrite']).decide().request).toMatchObject({ key: 'edit', chosen: 'rewrite' })
    expect(open(['find=b']).state.args).toMatchObject({ find: 'b' })
  })

  it('given with the brief and not understood goes to the first decision', () => {
    expect(open(['be careful']).request).toMatchObject({ key: 'where', unclearGuidance: 'be careful' })
  })

  it('that comes with a later brief goes to the decision that is next then', () => {
    const program = { execute: [where, tool('use'), edit] }
    const waiting = openRecipe(program).decide()
    const said = (words: string) =>
      nextRecipeTurn(
        programOf(program),
        waiting.state,
        { kind: 'tool_result', output: {} },
        brief({ guidance: [words] }),
      )
    expect(said('rewrite').request).toMatchObject({ key: 'edit', chosen: 'rewrite', unclearGuidance: null })
    expect(said('gently').request).toMatchObject({
      key: 'edit',
      chosen: 'replace',
      unclearGuidance: 'gently',
    })
    const decided = { kind: 'decided', decisionId, optionId: 'replace' } as const
    const after = nextRecipeTurn(
      programOf(program),
      said('gently').state,
      decided,
      brief({ guidance: ['gently'] }),
    )
    expect(after).toMatchObject({ request: { kind: 'finish' }, state: { choices: {} } })
  })

  it('that Strategize heard is not heard again in Execute', () => {
    const recipe = { strategize: [where], execute: [edit] }
    const strategy = openRecipe(recipe, { phase: 'strategize' }).guide('be careful').decide('all')
    const execute = openRecipe(recipe, { strategyState: strategy.state, guidance: ['be careful', 'rewrite'] })
    expect(execute.request).toMatchObject({ key: 'edit', chosen: 'rewrite', unclearGuidance: null })
  })

  it('at a step that failed changes what it reads and tries again', () => {
    const failure = { code: 'invalid_input' as const, message: 'no', facts: {} }
    const refused = open().decide().decide().tell({ kind: 'tool_refused', failure })
    expect(refused.guide('find=c').request).toMatchObject({ kind: 'call_tool', input: { find: 'c' } })
  })
})

describe('a value that both a decision and a variable could take', () => {
  it('goes to the decision where it is one of its options, else to the variable', () => {
    const scope = decide('scope', { options: [option('one', { set: { scope: 'x' } }), option('two')] })
    const run = openRecipe({ execute: [decide('first'), scope, tool('use', { s: '${{ vars.scope }}' })] })
    expect(run.guide('scope=two').decide().request).toMatchObject({ chosen: 'two' })
    expect(run.guide('scope=y').decide().decide().request).toMatchObject({ input: { s: 'y' } })
  })
})

describe('reading pairs', () => {
  it.each<[string, { name: string; text: string }[] | null]>([
    ['a=1', [{ name: 'a', text: '1' }]],
    [
      'a=1 b=2,c = 3',
      [
        { name: 'a', text: '1' },
        { name: 'b', text: '2,c = 3' },
      ],
    ],
    [
      'a=two words; b="x=1, y=2"',
      [
        { name: 'a', text: 'two words' },
        { name: 'b', text: 'x=1, y=2' },
      ],
    ],
    ['edit[3]=x', [{ name: 'edit[3]', text: 'x' }]],
    ['vars.glob=**', [{ name: 'vars.glob', text: '**' }]],
    ['a=', [{ name: 'a', text: '' }]],
    ['x a=1', null],
    ['nothing', null],
    ['', null],
    ['=1', null],
  ])('%j is %j', (text, pairs) => {
    expect(readPairs(text)).toEqual(pairs)
  })
})
