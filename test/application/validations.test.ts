import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerGate } from '../../src/application/gate/answer-gate.ts'
import type { Ports } from '../../src/application/ports.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Its check wants the third letter; each fix writes one more. */
const LETTERS = (more: string) => `
${more}
recipe:
  strategize:
    - decide: {id: how, type: strategy_choice, question: How?, options: [{id: one, label: One}], choose: one}
  execute:
    - decide: {id: write, type: implementation_choice, question: Write?, options: [{id: x, label: X}], choose: x}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "a"}}
    - validate:
        command: 'cat a.txt; grep -q aaa a.txt'
        fix:
          - tool: {name: builtin/write_file, with: {path: a.txt, content: "\${{ validation.output }}a"}}
          - when: {if: "\${{ validation.attempt == 2 && validation.exit_code == 1 }}", then: [{tool: {name: builtin/write_file, with: {path: second.txt, content: "\${{ validation.message }}"}}}]}
`

describe('a required check that fails', () => {
  it('is fixed by its own steps under a profile that lets that pass, each time on record, and then applied', async () => {
    const bench = await benchWith(LETTERS(''))
    const plan = await bench.start('local/letters', 'ci')
    expect([position(plan), await bench.read('a.txt'), await bench.read('second.txt')]).toEqual([
      'apply/applied',
      'aaa',
      'cat a.txt; grep -q aaa a.txt failed: exit code 1',
    ])
    expect(await responses(bench, plan.plan_id)).toEqual([
      ['cat a.txt; grep -q aaa a.txt failed. What now?', 'Fix it, attempt 1 of 3', 'profile', 'create_file'],
      ['cat a.txt; grep -q aaa a.txt failed. What now?', 'Fix it, attempt 2 of 3', 'profile', 'create_file'],
    ])
    expect(await checks(bench, plan.plan_id)).toEqual(['failed', 'failed', 'done'])
  })

  it('waits for a person before each fix under manual, and is not applied while it fails', async () => {
    const bench = await benchWith(LETTERS('max_fix_attempts: 1'))
    let plan = await bench.start('local/letters', 'supervised')
    plan = await bench.approve(await bench.approve(plan))
    expect([whereabouts(plan), plan.gates[0]?.options.map(each => each.id)]).toEqual([
      'execute/awaiting_input validation_fix create_file',
      ['fix', 'again', 'go_on', 'stop'],
    ])
    expect(plan.gates[0]?.subject['output']).toContain('exit code 1\na')
    const refused = await bench.backend.refusal('_cleveragents/plan/apply', { plan_id: plan.plan_id })
    expect(refused.message).toContain(
      'It waits for an answer to: cat a.txt; grep -q aaa a.txt failed. What now?',
    )
    plan = await bench.approve(plan)
    // One fix was not enough, and more are not allowed: now it is about the strategy.
    expect([whereabouts(plan), plan.gates[0]?.question, plan.gates[0]?.options.map(each => each.id)]).toEqual(
      [
        'execute/awaiting_input strategy_revision delete_content',
        'The strategy cannot be carried out: cat a.txt; grep -q aaa a.txt still fails after 1 fix. Plan anew?',
        ['revise', 'again', 'go_on', 'stop'],
      ],
    )
    plan = await bench.approve(plan, { option_id: 'go_on', note: 'good enough' })
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    plan = await bench.approve(plan)
    expect([position(plan), await bench.read('a.txt')]).toEqual(['apply/applied', 'aa'])
  })

  it('is not fixed after a person refused that, however the plan goes on', async () => {
    const bench = await benchWith(LETTERS(''))
    let plan = await bench.start('local/letters', 'supervised')
    plan = await bench.reject(await bench.approve(await bench.approve(plan)), 'leave it')
    expect(position(plan)).toBe('execute/errored')
    plan = await bench.backend.call('_cleveragents/plan/resume', { plan_id: plan.plan_id, wait: true })
    expect(whereabouts(plan)).toBe('execute/awaiting_input validation_fix create_file')
    expect(await responses(bench, plan.plan_id)).toEqual([])
    const both = { decision: 'reject', optionId: 'go_on', note: null, guidance: null, part: null } as const
    const answer = { planRef: plan.plan_id, gateRef: null, digest: null, confirmWord: null, by: 'tester' }
    const contradicting = answerGate(bench.backend.ports, { ...answer, answer: { ...both, grant: 'once' } })
    expect(contradicting).toMatchObject({ failure: { code: 'invalid_input' } })
  })

  it('leads to another strategy once fixes are used up, and to a person once strategies are', async () => {
    const bench = await benchWith(LETTERS('max_fix_attempts: 0'))
    // In place there is nothing to make anew between attempts.
    const plan = await bench.start('local/letters', 'full-auto', {}, 'none')
    expect([whereabouts(plan), plan.attempt, plan.gates[0]?.reason]).toEqual([
      'execute/awaiting_input strategy_revision delete_content',
      4,
      'the plan went back to Strategize 3 times, which is as often as it may by itself',
    ])
    const passed = bench.backend.ports.store.judgements
      .listByPlan(plan.plan_id as never) // an id of the wire is one of ours
      .map(each => `${each.confidence.gate} ${each.outcome}`)
    expect(passed.filter(each => each.startsWith('reviseStrategy'))).toEqual([
      'reviseStrategy passed',
      'reviseStrategy passed',
      'reviseStrategy passed',
      'reviseStrategy asked',
    ])
  })
})

const VALIDATIONS = [
  `name: no-todo
description: Nothing is left to do
wraps: builtin/search_text
with: {pattern: TODO, glob: a.txt}
transform: '\${{ {"passed": output.count == 0, "message": output.count == 0 ? "clean" : "TODO in " + output.paths[0], "data": output.paths} }}'
`,
  'name: local/extra\ndescription: A file that is nice to have\nmode: informational\ncommand: test -f extra\n',
  'name: local/never\ndescription: Nothing is good enough\ncommand: exit 1\n',
]

describe('attached validations', () => {
  it('speak at the end of Execute, are fixed by the recipe, and hold Apply back when attached later', async () => {
    const bench = await benchWith(`
max_fix_attempts: 1
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: a.txt, content: good TODO}}
    - validate: {command: grep -q good a.txt}
    - tool: {name: builtin/write_file, with: {path: b.txt, content: later}}
  fix:
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "good after \${{ validation.name }}"}}
`)
    const { call, refusal } = bench.backend
    for (const text of VALIDATIONS) await call('_cleveragents/validation/add', { text, file: 'v.yaml' })
    let plan = await bench.start('local/letters', 'trusted')
    const project = plan.project.name
    await call('_cleveragents/validation/attach', { name: 'no-todo', project })
    await call('_cleveragents/validation/attach', { name: 'extra', resource: project, project })
    expect((await refusal('_cleveragents/validation/attach', { name: 'extra' })).message).toContain(
      '--resource',
    )
    const nowhere = 'does not work with local/nowhere'
    await call('_cleveragents/project/create', { path: await temporaryFolder(), name: 'nowhere' })
    for (const place of [{ project }, { plan_id: plan.plan_id }])
      expect(
        (await refusal('_cleveragents/validation/attach', { name: 'extra', resource: 'nowhere', ...place }))
          .message,
      ).toContain(nowhere)
    const again = await call('_cleveragents/validation/attach', { name: 'no-todo', project })
    expect(again).toEqual(await call('_cleveragents/validation/attach', { name: 'no-todo', project }))
    // It waits before Apply without anybody's word about the work, so an approval is not enough.
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    expect(await responses(bench, plan.plan_id)).toEqual([
      ['local/no-todo failed. What now?', 'Fix it, attempt 1 of 1', 'profile', 'create_file'],
    ])
    // Its own twice, since the work went on; no-todo, which was fixed; extra, which blocks nothing.
    expect((await checks(bench, plan.plan_id)).sort()).toEqual([
      'done',
      'done',
      'done',
      'done',
      'failed',
      'failed',
    ])
    const never = await call('_cleveragents/validation/attach', { name: 'never', plan_id: plan.plan_id })
    plan = await bench.approve(plan)
    expect([whereabouts(plan), plan.gates[0]?.question]).toEqual([
      'execute/awaiting_input strategy_revision delete_content',
      'The strategy cannot be carried out: local/never still fails after 1 fix. Plan anew?',
    ])
    await call('_cleveragents/validation/detach', never)
    plan = await bench.approve(await bench.approve(plan, { option_id: 'again' }))
    expect([position(plan), await bench.read('a.txt')]).toEqual(['apply/applied', 'good after local/never'])
    const late = await refusal('_cleveragents/validation/attach', { name: 'never', plan_id: plan.plan_id })
    expect(late.message).toContain('nothing of it runs again')
    const { validations } = await call('_cleveragents/validation/list', {})
    expect(validations.map(each => [each.name, each.attachments.length])).toEqual([
      ['local/extra', 1],
      ['local/never', 0],
      ['local/no-todo', 1],
    ])
  })
})

describe('a check that was cut off in the middle', () => {
  it.each(['attached', 'requested'])(
    'leaves nothing in the work, and looks again at it: one %s',
    async by => {
      const bench = await startBench(undefined, { tools: cutOnce })
      const asked = by === 'requested' ? ', {validate: {command: test ! -e junk.txt}}' : ''
      const write = '{tool: {name: builtin/write_file, with: {path: a.txt, content: good}}}'
      await bench.action('local/letters', `recipe: {execute: [${write}${asked}]}`)
      const { call } = bench.backend
      const project = bench.repository.root
      const text = 'name: local/clean\ndescription: Nothing lies about\ncommand: test ! -e junk.txt\n'
      await call('_cleveragents/project/create', { path: project })
      await call('_cleveragents/validation/add', { text, file: 'v.yaml' })
      if (by === 'attached') await call('_cleveragents/validation/attach', { name: 'clean', project })
      const cut = await bench.start('local/letters', 'full-auto')
      expect(position(cut)).toBe('execute/errored')
      const plan = await call('_cleveragents/plan/resume', { plan_id: cut.plan_id, wait: true })
      expect([position(plan), plan.notices]).toEqual(['apply/applied', cut.notices])
      expect(await bench.read('a.txt')).toBe('good')
      await expect(bench.read('junk.txt')).rejects.toThrow('ENOENT')
    },
  )
})

/** The first command writes into the sandbox and gets no further, as when its process is killed. */
function cutOnce(tools: Ports['tools']): Ports['tools'] {
  let isCut = false
  const cut = (tool: ReturnType<typeof tools.find>): typeof tool =>
    tool?.name !== 'builtin/run_command' || isCut
      ? tool
      : {
          ...tool,
          run: async (_, { root }) => {
            isCut = true
            await writeFile(join(root, 'junk.txt'), 'junk')
            throw new Error('cut off')
          },
        }
  return { list: tools.list, find: name => cut(tools.find(name)) }
}

async function benchWith(text: string): Promise<Bench> {
  const bench = await startBench()
  await bench.action('local/letters', text)
  return bench
}

async function responses(bench: Bench, planId: string) {
  const { decisions } = await bench.backend.call('_cleveragents/plan/tree', { plan_id: planId })
  return decisions
    .filter(each => each.type === 'validation_response')
    .map(each => [each.question, each.chosen_option.label, each.decided_by, each.gate_confidence?.flag])
}

async function checks(bench: Bench, planId: string) {
  const { steps } = await bench.backend.call('_cleveragents/plan/steps', { plan_id: planId })
  return steps.filter(each => each.kind === 'validate').map(each => each.status)
}
