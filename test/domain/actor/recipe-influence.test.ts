import { describe, expect, it } from 'vitest'
import type { ActorRequest, InfluenceClaim } from '../../../src/domain/actor/actor.ts'
import type { RecipeStep } from '../../../src/domain/actor/recipe-format.ts'
import { decide, forEach, openRecipe, option, playToEnd, tool, when } from '../../support/recipe-driver.ts'

const where = decide('where', { options: [option('src', { set: { glob: 'src/**', on: true } })] })

/** By key or tool; steps that claim nothing left out. */
function claims(requests: readonly ActorRequest[]): Record<string, readonly string[]> {
  const told = requests.flatMap((request): [string, readonly InfluenceClaim[]][] => {
    if (request.kind === 'record_decision') return [[request.key, request.influencedBy]]
    return request.kind === 'call_tool' ? [[request.tool, request.influencedBy]] : []
  })
  return Object.fromEntries(
    told
      .filter(([, list]) => list.length > 0)
      .map(([name, list]) => [name, list.map(c => `${c.key}: ${c.why}`)]),
  )
}

function claimsOf(execute: readonly RecipeStep[]): Record<string, readonly string[]> {
  return claims(playToEnd(openRecipe({ execute }, { args: { x: 1 } })))
}

describe('what a request claims to be influenced by', () => {
  it('is the decision that set a variable it reads', () => {
    expect(claimsOf([where, decide('other'), tool('use', { glob: '${{ vars.glob }}' })])).toEqual({
      'builtin/use': ['where: reads variable glob, set by where'],
    })
  })

  it('is nothing for arguments, the project, the plan and plain texts', () => {
    expect(
      claimsOf([
        where,
        tool('use', { a: '${{ args.x }}', b: '${{ project.name }}', c: '${{ plan.name }}', d: 'x' }),
      ]),
    ).toEqual({})
  })

  it('is the decision under which a result was produced, and what its input went back to', () => {
    const steps = [
      where,
      decide('edit'),
      tool('make', { glob: '${{ vars.glob }}' }, 'made'),
      decide('next', { question: '${{ made.count }}?' }),
    ]
    expect(claimsOf(steps)).toEqual({
      'builtin/make': ['where: reads variable glob, set by where'],
      next: [
        'edit: reads result made, produced under edit',
        'where: reads result made, produced under where',
      ],
    })
  })

  it('is every decision behind a map that is read as a whole', () => {
    const two = decide('two', { options: [option('a', { set: { n: 1 } })] })
    expect(claimsOf([where, two, tool('use', { all: '${{ vars }}' })])['builtin/use']).toEqual([
      'where: reads variable glob, set by where',
      'where: reads variable on, set by where',
      'two: reads variable n, set by two',
    ])
  })

  it('is also why a list runs at all', () => {
    expect(claimsOf([where, when('${{ vars.on }}', [decide('inner'), tool('use')])])).toEqual({
      inner: ['where: reads variable on, set by where'],
      'builtin/use': ['where: reads variable on, set by where'],
    })
  })

  it('follows a loop and its variable', () => {
    const steps = [
      decide('edit'),
      tool('make', {}, 'made'),
      forEach('${{ made.paths }}', 'path', [tool('use', { p: '${{ path }}' })]),
    ]
    expect(claimsOf(steps)).toEqual({
      'builtin/use': [
        'edit: reads path of the loop, taken from edit',
        'edit: reads result made, produced under edit',
      ],
    })
  })

  it('is each of choose, options, confidence and rationale', () => {
    const next = decide('next', {
      options: [option('src', { set: { g: '${{ vars.glob }}' } })],
      rationale: '${{ vars.on }}',
    })
    expect(claimsOf([where, next])['next']).toEqual([
      'where: reads variable glob, set by where',
      'where: reads variable on, set by where',
    ])
  })

  it('is never the decision itself', () => {
    const run = openRecipe({ execute: [where, decide('edit', { question: '${{ vars.glob }}' })] })
    const guided = run.decide().guide('glob=x')
    expect(guided.request).toMatchObject({ key: 'edit', influencedBy: [{ key: 'where' }] })
  })

  it('is the decision at which a person named the value', () => {
    const run = openRecipe({ execute: [where, decide('edit'), tool('use', { g: '${{ vars.glob }}' })] })
    expect(run.decide().guide('glob=x').decide().request).toMatchObject({
      input: { g: 'x' },
      influencedBy: [
        { key: 'where', why: 'reads variable glob, set by where' },
        { key: 'edit', why: 'reads variable glob, set by edit' },
      ],
    })
  })
})
