import { describe, expect, it } from 'vitest'
import {
  completeChild,
  decide,
  forEach,
  openRecipe,
  option,
  planId,
  playToEnd,
  type RecipeRun,
  spawn,
  tool,
} from '../../support/recipe-driver.ts'

function run(
  steps: Parameters<typeof openRecipe>[0]['execute'],
  more: Parameters<typeof openRecipe>[1] = {},
) {
  return openRecipe({ execute: steps ?? [] }, more)
}

/** Every child that was asked for ends well. */
function ended(at: RecipeRun): RecipeRun {
  if (at.request.kind !== 'spawn_plans') throw new Error(`no children are asked for: ${at.request.kind}`)
  return at.tell({ kind: 'spawned', children: at.request.children.map(completeChild) })
}

const done = { plan_id: planId, state: 'complete', changes: { files: 1, additions: 2, deletions: 0 } }
const leftOut = { plan_id: null, state: 'left_out', changes: null }

const args = { old: 'a', area: 'docs/' }

describe('a spawn', () => {
  const docs = spawn(
    [
      {
        key: 'docs',
        args: { old: '${{ args.old }}', depth: 2 },
        guidance: 'only ${{ args.area }}',
        as: 'docs',
      },
      { key: 'other', after: ['docs'] },
    ],
    { maxParallel: 1, merge: 'last_wins', as: 'all' },
  )

  it('is a decision first, and then asks for its children with everything filled in', () => {
    const where = decide('where', { options: [option('guide', { set: { old: 'b' } })] })
    const more = spawn([{ key: 'more', args: { old: '${{ vars.old }}' } }]).children
    const children = [...docs.children, ...more]
    const asked = run([where, { ...docs, children }], { args }).decide()
    expect(asked.request).toMatchObject({
      kind: 'record_decision',
      step: 'execute[1]',
      key: 'all',
      type: 'subplan_parallel_spawn',
      question: 'Which child plans work here?',
      options: [
        {
          id: 'start',
          label: 'docs, other, more',
          rationale: 'side by side, 1 at once; some wait for others',
        },
        { id: 'none', label: 'None', rationale: null },
      ],
      chosen: 'start',
    })
    expect(asked.decide().request).toEqual({
      kind: 'spawn_plans',
      step: 'execute[1]',
      children: [
        {
          key: 'docs',
          action: 'local/other',
          args: { old: 'a', depth: 2 },
          guidance: 'only docs/',
          after: [],
        },
        { key: 'other', action: 'local/other', args: {}, guidance: null, after: ['docs'] },
        { key: 'more', action: 'local/other', args: { old: 'b' }, guidance: null, after: [] },
      ],
      mode: 'parallel',
      maxParallel: 1,
      merge: 'last_wins',
      influencedBy: [{ key: 'where', why: 'reads variable old, set by where' }],
    })
  })

  it.each([
    ['one', 'sequential', 'subplan_spawn', 'local/other', null],
    ['sequential', 'sequential', 'subplan_parallel_spawn', 'a, b', 'one after the other'],
    ['parallel', 'parallel', 'subplan_parallel_spawn', 'a, b', 'side by side'],
  ] as const)('of the form %s runs %s and records %s', (form, mode, type, label, rationale) => {
    const children = form === 'one' ? [{ key: 'a' }] : [{ key: 'a' }, { key: 'b' }]
    const asked = run([spawn(children, { form })])
    expect(asked.request).toMatchObject({ type, options: [{ label, rationale }, { id: 'none' }] })
    expect(asked.decide().request).toMatchObject({ kind: 'spawn_plans', mode })
  })

  it('says in its own words what it asks, and stands where it is told to', () => {
    const steps = [
      decide('first'),
      spawn([{ key: 'a' }], {
        question: 'Who writes ${{ args.what }}?',
        confidence: 0.7,
        rationale: 'it is apart',
        dependsOn: ['first'],
        under: 'first',
      }),
    ]
    expect(run(steps, { args: { what: 'docs' } }).decide().request).toMatchObject({
      question: 'Who writes docs?',
      confidence: 0.7,
      rationale: 'it is apart',
      dependsOn: ['first'],
      parentKey: 'first',
    })
  })

  it('gives each result its name, the list the name of the step, and goes on', () => {
    const next = tool('next', { one: '${{ docs }}', list: '${{ all }}' })
    const after = ended(run([docs, next], { args }).decide())
    expect(after.request).toMatchObject({ step: 'execute[1]', input: { one: done, list: [done, done] } })
  })

  it('gives a single child its result itself', () => {
    const steps = [
      spawn([{ key: 'a', as: 'a' }], { form: 'one', as: 'a' }),
      tool('next', { a: '${{ a.state }}' }),
    ]
    expect(ended(run(steps).decide()).request).toMatchObject({ input: { a: 'complete' } })
  })

  it('starts nobody when a person chose to go on without, and the results say so', () => {
    const steps = [docs, tool('next', { one: '${{ docs }}', list: '${{ all }}' })]
    const asked = run(steps, { args })
    const expected = { step: 'execute[1]', input: { one: leftOut, list: [leftOut, leftOut] } }
    expect(asked.decide('none').request).toMatchObject(expected)
    expect(asked.guide('none').decide().request).toMatchObject(expected)
    expect(asked.reject().decide().request).toMatchObject(expected)
  })

  it('can be decided beforehand by its name', () => {
    const asked = run([docs], { args, guidance: ['all=none'] })
    expect(asked.request).toMatchObject({ chosen: 'none' })
  })

  it('asks for its children again from a stored state', () => {
    const asked = run([spawn([{ key: 'a' }])]).decide()
    expect(asked.tell({ kind: 'none' }).request).toEqual(asked.request)
  })

  it('asks for the same children after words that mean nothing to it', () => {
    const asked = run([spawn([{ key: 'a', args: { x: '${{ args.x }}' } }])], {
      args: { x: 1 },
      arguments: [{ name: 'x', type: 'integer', required: false, default: 1, description: '', values: [] }],
    }).decide()
    expect(asked.guide('be quick').request).toEqual(asked.request)
    expect(asked.guide('x=3').request).toMatchObject({ kind: 'spawn_plans', children: [{ args: { x: 3 } }] })
  })

  it('stops where its children could not start, until it is tried again', () => {
    const asked = run([spawn([{ key: 'a' }])]).decide()
    const failure = { code: 'denied', message: 'too deep', facts: {} } as const
    const stopped = asked.tell({ kind: 'tool_refused', failure })
    expect(stopped.request).toMatchObject({ kind: 'fail', step: 'execute[0]', failure })
    expect(stopped.tell({ kind: 'retry' }).request).toEqual(asked.request)
  })

  it('fails on an argument that cannot be computed', () => {
    const asked = run([spawn([{ key: 'a', args: { x: '${{ args.none }}' } }])]).decide()
    expect(asked.request).toMatchObject({ kind: 'fail', failure: { code: 'step_failed' } })
  })

  it('in a loop is a decision in every round, with children of their own names', () => {
    const steps = [
      forEach('${{ ["x", "y"] }}', 'each', [
        spawn(
          [
            { key: 'a', args: { n: '${{ each }}' } },
            { key: 'b', after: ['a'] },
          ],
          { as: 'both' },
        ),
      ]),
      tool('next', { both: '${{ both }}' }),
    ]
    const requests = playToEnd(run(steps))
    expect(
      requests.map(request =>
        request.kind === 'record_decision'
          ? request.key
          : request.kind === 'spawn_plans'
            ? request.children.map(({ key, args, after }) => [key, args['n'], ...after])
            : request.kind,
      ),
    ).toEqual([
      'both[0]',
      [
        ['a[0]', 'x'],
        ['b[0]', undefined, 'a[0]'],
      ],
      'both[1]',
      [
        ['a[1]', 'y'],
        ['b[1]', undefined, 'a[1]'],
      ],
      'call_tool',
      'finish',
    ])
  })

  it('makes those who read its result depend on it and on what its arguments came from', () => {
    const steps = [
      decide('where', { options: [option('guide', { set: { area: 'docs/' } })] }),
      spawn([{ key: 'a', args: { x: '${{ vars.area }}' }, as: 'a' }], { form: 'one', as: 'a' }),
      decide('after', { question: '${{ a.state }}?' }),
    ]
    const asked = ended(run(steps).decide().decide())
    expect(asked.request).toMatchObject({
      key: 'after',
      influencedBy: [
        { key: 'a', why: 'reads result a, produced under a' },
        { key: 'where', why: 'reads result a, produced under where' },
      ],
    })
  })
})
