import { describe, expect, it } from 'vitest'
import type { ActorRequest } from '../../../src/domain/actor/actor.ts'
import type { RecipeStep, Template } from '../../../src/domain/actor/recipe-format.ts'
import {
  check,
  decide,
  forEach,
  openRecipe,
  option,
  playToEnd,
  type RecipeRun,
  tool,
  when,
} from '../../support/recipe-driver.ts'

function run(steps: readonly RecipeStep[], more: Parameters<typeof openRecipe>[1] = {}): RecipeRun {
  return openRecipe({ execute: steps }, more)
}

function failure(request: ActorRequest): string {
  return request.kind === 'fail' ? `${request.failure.code}: ${request.failure.message}` : request.kind
}

/** Step, then key or tool or command, one a line. */
function outline(requests: readonly ActorRequest[]): string[] {
  return requests.map(request => {
    if (request.kind === 'record_decision') return `${request.step} ${request.key} under ${request.parentKey}`
    if (request.kind === 'call_tool') return `${request.step} ${request.tool}`
    if (request.kind === 'validate') return `${request.step} ${request.command}`
    return `${request.step} ${request.kind}`
  })
}

describe('a decision', () => {
  const where = decide('where', {
    type: 'strategy_choice',
    question: 'Where is ${{ args.old }} renamed?',
    options: [
      option('src', { label: 'Only src', rationale: 'tests follow', set: { glob: 'src/**' } }),
      option('all', { label: 'Everywhere', set: { glob: '**' } }),
    ],
    choose: '${{ args.scope }}',
    confidence: 0.85,
    rationale: 'the argument asked for it',
  })

  it('asks with everything filled in', () => {
    expect(run([where], { args: { old: 'a', scope: 'all' } }).request).toEqual({
      kind: 'record_decision',
      step: 'execute[0]',
      key: 'where',
      type: 'strategy_choice',
      question: 'Where is a renamed?',
      options: [
        { id: 'src', label: 'Only src', rationale: 'tests follow' },
        { id: 'all', label: 'Everywhere', rationale: null },
      ],
      chosen: 'all',
      confidence: 0.85,
      rationale: 'the argument asked for it',
      dependsOn: [],
      influencedBy: [],
      parentKey: null,
      unclearGuidance: null,
    })
  })

  it('sets the variables of the option that was decided, also when a person took another', () => {
    const steps = [where, tool('list_files', { glob: '${{ vars.glob }}' })]
    const asked = run(steps, { args: { old: 'a', scope: 'all' } })
    expect(asked.decide().request).toMatchObject({ input: { glob: '**' } })
    expect(asked.decide('src').request).toMatchObject({ input: { glob: 'src/**' } })
  })

  it('takes its options from an expression', () => {
    const options = '${{ args.names.map(n, {"id": n, "label": "to " + n, "set": {"name": n}}) }}'
    const steps = [decide('to', { options, choose: 'b' }), tool('x', { name: '${{ vars.name }}' })]
    const asked = run(steps, { args: { names: ['a', 'b'] } })
    expect(asked.request).toMatchObject({ options: [{ id: 'a', label: 'to a' }, { id: 'b' }], chosen: 'b' })
    expect(asked.decide().request).toMatchObject({ input: { name: 'b' } })
  })

  it('names declared dependencies by key and leaves out decisions that were not made', () => {
    const steps = [
      decide('one'),
      when('${{ false }}', [decide('never')]),
      decide('two', { dependsOn: ['one', 'never'], under: 'one' }),
    ]
    expect(run(steps).decide().request).toMatchObject({ key: 'two', dependsOn: ['one'], parentKey: 'one' })
  })

  it.each<[string, Partial<typeof where>, string]>([
    [
      'a choice that is no option',
      { choose: 'scr' },
      'choose gives "scr", which is no option of where. Did you mean src?',
    ],
    ['a confidence above one', { confidence: 2 }, 'confidence must be a number from 0 to 1, not 2.'],
    ['no options', { options: '${{ [] }}' }, 'options is an empty list; there is nothing to choose.'],
    ['options that are no list', { options: '${{ 1 }}' }, 'options must be a list of options, not 1.'],
    [
      'an option without label',
      { options: '${{ [{"id": "a"}] }}' },
      'option 0 must have an id and a label that are texts, and set must be a map: {"id":"a"}.',
    ],
    [
      'two options of one id',
      { options: '${{ [{"id": "a", "label": "x"}, {"id": "a", "label": "y"}] }}' },
      'options has two options with the id a.',
    ],
    [
      'an unknown name',
      { question: '${{ hits }}' },
      'There is no hits in ${{ hits }}. Known: args, guidance, plan, project, vars.',
    ],
  ])('fails on %s', (_, more, message) => {
    const asked = run([{ ...where, choose: 'src', question: '?', ...more }])
    expect(failure(asked.request)).toBe(`step_failed: execute[0]: ${message}`)
  })
})

describe('the tree of decisions', () => {
  it('puts decisions of one list side by side and those of inner lists under the last one around them', () => {
    const steps = [
      decide('a'),
      decide('b'),
      when('${{ true }}', [
        when('${{ true }}', [decide('c')]),
        decide('d'),
        forEach('${{ [1, 2] }}', 'n', [decide('e'), when('${{ true }}', [decide('f')])]),
      ]),
      decide('g'),
      decide('h', { under: 'a' }),
    ]
    expect(outline(playToEnd(run(steps)))).toEqual([
      'execute[0] a under null',
      'execute[1] b under null',
      'execute[2].then[0].then[0] c under b',
      'execute[2].then[1] d under b',
      'execute[2].then[2].steps[0]#0 e[0] under d',
      'execute[2].then[2].steps[1].then[0]#0 f[0] under e[0]',
      'execute[2].then[2].steps[0]#1 e[1] under d',
      'execute[2].then[2].steps[1].then[0]#1 f[1] under e[1]',
      'execute[3] g under null',
      'execute[4] h under a',
      'execute[5] finish',
    ])
  })

  it('numbers nested loops outermost first', () => {
    const steps = [forEach('${{ [1, 2] }}', 'n', [forEach('${{ [n] }}', 'm', [decide('x'), tool('t')])])]
    expect(outline(playToEnd(run(steps)))).toEqual([
      'execute[0].steps[0].steps[0]#0.0 x[0][0] under null',
      'execute[0].steps[0].steps[1]#0.0 builtin/t',
      'execute[0].steps[0].steps[0]#1.0 x[1][0] under null',
      'execute[0].steps[0].steps[1]#1.0 builtin/t',
      'execute[1] finish',
    ])
  })

  it('means the decision of the same round inside a loop and all rounds behind it', () => {
    const steps = [
      forEach('${{ [1, 2] }}', 'n', [decide('a'), decide('b', { dependsOn: ['a'], under: 'a' })]),
      decide('c', { dependsOn: ['a'] }),
    ]
    const requests = playToEnd(run(steps))
    expect(requests[3]).toMatchObject({ key: 'b[1]', dependsOn: ['a[1]'], parentKey: 'a[1]' })
    expect(requests[4]).toMatchObject({ key: 'c', dependsOn: ['a[0]', 'a[1]'] })
  })
})

describe('steps that ask for nothing', () => {
  it('branches on a condition', () => {
    const steps = [when('${{ args.on }}', [tool('then')], [tool('else')])]
    expect(run(steps, { args: { on: true } }).request).toMatchObject({ step: 'execute[0].then[0]' })
    expect(run(steps, { args: { on: false } }).request).toMatchObject({ step: 'execute[0].else[0]' })
    expect(failure(run([when('yes', [])]).request)).toBe(
      'step_failed: execute[0]: if must be true or false, not "yes".',
    )
  })

  it('goes over a list, hiding a result of the same name only inside', () => {
    const steps = [
      tool('first', {}, 'item'),
      forEach('${{ item.paths }}', 'item', [tool('each', { x: '${{ item }}' })]),
      tool('last', { x: '${{ item.count }}' }),
    ]
    const inputs = playToEnd(run(steps)).flatMap(request =>
      request.kind === 'call_tool' ? [request.input] : [],
    )
    expect(inputs).toEqual([{}, { x: 'a' }, { x: 'b' }, { x: 2 }])
  })

  it('passes over an empty list and refuses what is none', () => {
    expect(run([forEach('${{ [] }}', 'x', [tool('each')])]).request).toMatchObject({ kind: 'finish' })
    expect(failure(run([forEach('${{ 1 }}', 'x', [])]).request)).toBe(
      'step_failed: execute[0]: over must be a list, not 1.',
    )
  })

  it('stops on an assertion that does not hold, with its message', () => {
    const guard = (that: string): RecipeStep => ({ kind: 'assert', that, message: 'not ${{ args.x }}' })
    expect(failure(run([guard('${{ args.x == 1 }}')], { args: { x: 2 } }).request)).toBe(
      'step_failed: execute[0]: not 2',
    )
    expect(run([guard('${{ args.x == 2 }}')], { args: { x: 2 } }).request.kind).toBe('finish')
  })

  it('ends early on finish, with its note', () => {
    const steps: RecipeStep[] = [
      when('${{ true }}', [{ kind: 'finish', note: 'nothing to do' }]),
      tool('never'),
    ]
    expect(run(steps).request).toEqual({
      kind: 'finish',
      step: 'execute[0].then[0]',
      note: 'nothing to do',
      fixesChecks: false,
      strategy: null,
      claims: null,
    })
  })
})

describe('a tool call', () => {
  const steps = [
    tool('search_text', { pattern: '${{ args.old }}', deep: [1, '${{ 1 + 1 }}'] }, 'hits'),
    tool('next', { n: '${{ hits.n }}' }),
  ]

  it('fills in its input and keeps its result under the name', () => {
    const asked = run(steps, { args: { old: 'x' } })
    expect(asked.request).toEqual({
      kind: 'call_tool',
      costUsd: 0,
      step: 'execute[0]',
      tool: 'builtin/search_text',
      input: { pattern: 'x', deep: [1, 2] },
      influencedBy: [],
    })
    expect(asked.result({ n: 5 }).request).toMatchObject({ input: { n: 5 } })
  })

  it('costs what its step says, and never less than nothing', () => {
    const costing = (costUsd: Template) =>
      run([{ kind: 'tool', name: 'builtin/search', with: {}, as: null, costUsd }], { args: { price: 0.25 } })
    expect(costing(0.05).request).toMatchObject({ costUsd: 0.05 })
    expect(costing('${{ args.price * 2.0 }}').request).toMatchObject({ costUsd: 0.5 })
    const message = 'execute[0]: cost_usd must be an amount of 0 or more, not -0.25.'
    expect(costing('${{ -args.price }}').request).toMatchObject({ kind: 'fail', failure: { message } })
  })

  it('stands still on a refusal until it is tried again', () => {
    const failure = { code: 'denied' as const, message: 'no', facts: {} }
    const asked = run(steps, { args: { old: 'x' } })
    const refused = asked.tell({ kind: 'tool_refused', failure })
    expect(refused.request).toEqual({ kind: 'fail', step: 'execute[0]', failure })
    expect(refused.tell({ kind: 'none' }).request).toEqual(refused.request)
    expect(refused.tell({ kind: 'retry' }).request).toEqual(asked.request)
  })
})

describe('a validation', () => {
  const outcome = (result: 'passed' | 'failed' | 'not_run') =>
    ({
      kind: 'validated',
      result,
      exitCode: result === 'failed' ? 1 : null,
      message: 'npm test failed',
      report: null,
    }) as const

  it.each<['required' | 'informational', 'passed' | 'failed' | 'not_run', string]>([
    ['required', 'passed', 'finish'],
    ['required', 'failed', 'step_failed: execute[0]: npm test failed'],
    ['required', 'not_run', 'finish'],
    ['informational', 'failed', 'finish'],
  ])('that is %s and %s leads to %s', (mode, result, next) => {
    expect(failure(run([check('npm test', mode)]).tell(outcome(result)).request)).toBe(next)
  })

  it('is run once more on a retry', () => {
    const asked = run([check('npm test')])
    expect(asked.tell(outcome('failed')).tell({ kind: 'retry' }).request).toEqual(asked.request)
  })

  it('counts as discovered as soon as its command comes from the project, by whatever way', () => {
    const project = {
      name: 'p',
      root: '/p',
      languages: [],
      checks: [{ name: 'unit', command: 'npm test', kind: 'test' as const }],
    }
    const steps = [
      check('npm test'),
      check('${{ project.checks[0].command }}'),
      forEach('${{ project.checks }}', 'each', [check('${{ each.command }}')]),
      decide('how', { options: [option('one', { set: { command: '${{ project.checks[0].command }}' } })] }),
      check('${{ vars.command }} --watch=false'),
      check('npm run lint', 'required', true),
    ]
    const requests = playToEnd(run(steps, { project }))
    expect(requests.flatMap(request => (request.kind === 'validate' ? [request.origin] : []))).toEqual([
      'action',
      'project',
      'project',
      'project',
      'project',
    ])
  })
})

describe('a question to a person', () => {
  it('keeps the answer under the name', () => {
    const steps: RecipeStep[] = [
      { kind: 'ask', question: 'More, ${{ plan.name }}?', options: [option('no')], as: 'answer' },
      tool('next', { got: '${{ answer }}' }),
    ]
    const asked = run(steps)
    expect(asked.request).toEqual({
      kind: 'ask',
      step: 'execute[0]',
      question: 'More, local/plan-1?',
      options: [{ id: 'no', label: 'no', rationale: null }],
      influencedBy: [],
    })
    expect(asked.tell({ kind: 'answered', optionId: 'no', note: 'thanks' }).request).toMatchObject({
      input: { got: { option_id: 'no', note: 'thanks' } },
    })
  })
})

describe('Execute', () => {
  it('goes on with what Strategize decided and found', () => {
    const recipe = {
      strategize: [
        tool('search_text', {}, 'hits'),
        decide('where', { options: [option('src', { set: { glob: 'src/**' } })] }),
      ],
      execute: [
        decide('edit', { dependsOn: ['where'] }),
        tool('x', { glob: '${{ vars.glob }}', n: '${{ hits.n }}' }),
      ],
    }
    const strategy = openRecipe(recipe, { phase: 'strategize' }).result({ n: 4 }).decide()
    expect(strategy.request).toMatchObject({ kind: 'finish', step: 'strategize[2]', note: null })
    const execute = openRecipe(recipe, { strategyState: strategy.state })
    expect(execute.request).toMatchObject({ key: 'edit', dependsOn: ['where'], parentKey: null })
    expect(execute.decide().request).toEqual({
      kind: 'call_tool',
      costUsd: 0,
      step: 'execute[1]',
      tool: 'builtin/x',
      input: { glob: 'src/**', n: 4 },
      influencedBy: [{ key: 'where', why: 'reads variable glob, set by where' }],
    })
  })
})

describe('an outcome that answers another kind of request', () => {
  it('is a bug and throws', () => {
    expect(() => run([tool('x')]).decide('yes')).toThrow('execute[0] asked for nothing')
    expect(() => run([decide('a')]).decide('maybe')).toThrow('a has no option maybe')
  })
})
