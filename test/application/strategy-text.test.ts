import { expect, it } from 'vitest'
import { startBench, whereabouts } from '../support/purpose-made.ts'
import { says, scripted, TALK, writes } from '../support/scripted-model.ts'

const FIRST = 'Write the file.\nThen stop.'

it('a strategy in words is shown before Execute, edited by a person on record, asked about anew, and told to the actor', async () => {
  const { ports } = scripted({
    answers: [says(FIRST), writes('new.txt'), says('done'), says('Another one.')],
  })
  const bench = await startBench(undefined, { ports })
  await bench.backend.call('_cleveragents/action/create', { text: TALK, file: 'talk.yaml' })
  const asked = await bench.start('local/talk', 'supervised')
  expect(whereabouts(asked)).toBe('strategize/awaiting_input phase create_tool')
  const [before] = asked.gates
  expect(before?.subject).toMatchObject({ strategy: FIRST, strategy_revision: 1, strategy_edited_by: null })
  const { plan_id } = asked
  const shown = await bench.backend.call('_cleveragents/plan/strategy/show', { plan_id })
  expect(shown).toMatchObject({ text: FIRST, revision: 1, edited_by: null })

  const edit = { plan_id, text: 'Write the file.\nLook at it.\nThen stop.\n', digest: shown.digest }
  const edited = await bench.backend.call('_cleveragents/plan/strategy/edit', edit)
  expect([edited.revision, edited.edited_by]).toEqual([2, 'tester'])
  expect(await bench.backend.refusal('_cleveragents/plan/strategy/edit', edit)).toMatchObject({
    errorType: 'stale_answer',
    message: expect.stringContaining('revision 2'),
  })
  const same = await bench.backend.call('_cleveragents/plan/strategy/edit', {
    ...edit,
    digest: edited.digest,
  })
  expect(same.revision).toBe(2)

  const waiting = await bench.backend.call('_cleveragents/plan/status', { plan_id })
  const [now] = waiting.gates
  expect(now?.gate_id).not.toBe(before?.gate_id)
  expect(now?.subject).toMatchObject({ strategy: edited.text, strategy_edited_by: 'tester' })
  const stale = { plan_id, digest: before?.digest ?? '' }
  expect((await bench.backend.refusal('_cleveragents/plan/approve', stale)).errorType).toBe('stale_answer')
  const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id })
  expect(tree.decisions.find(each => each.question === 'Edit of the strategy')).toMatchObject({
    type: 'user_intervention',
    decided_by: 'human',
    rationale: expect.stringContaining('\n+Look at it.\n'),
  })
  const log = await bench.backend.call('_cleveragents/plan/export', { plan_id })
  expect(log.plans[0]?.strategy).toEqual({ text: edited.text, revision: 2, edited_by: 'tester' })

  const done = await bench.approve(waiting)
  expect(whereabouts(done)).toBe('execute/awaiting_input phase select_tool')
  const late = { plan_id, text: 'too late', digest: edited.digest }
  expect((await bench.backend.refusal('_cleveragents/plan/strategy/edit', late)).errorType).toBe(
    'invalid_state',
  )

  const { messages, total } = await bench.backend.call('_cleveragents/plan/message/list', { plan_id })
  expect(
    messages.map(({ role, text, tool_calls, is_present }) => [role, text, tool_calls.length, is_present]),
  ).toEqual([
    ['user', 'strategize 1: none', 0, true],
    ['assistant', FIRST, 0, true],
    ['user', 'execute 1: none', 0, true],
    ['assistant', '', 1, true],
    ['user', 'execute 3: tool_result', 0, true],
    ['assistant', 'done', 0, true],
  ])
  const newest = await bench.backend.call('_cleveragents/plan/message/list', { plan_id, limit: 1 })
  expect([total, newest.messages.length, newest.total]).toEqual([6, 1, 6])
})

it('a plan that has no strategy in words says so', async () => {
  const bench = await startBench()
  await bench.action(
    'local/look',
    'recipe: {execute: [{tool: {name: builtin/list_files, with: {glob: "*"}}}]}\n',
  )
  const { plan_id } = await bench.start('local/look', 'trusted')
  const refused = await bench.backend.refusal('_cleveragents/plan/strategy/show', { plan_id })
  expect([refused.errorType, refused.message]).toEqual([
    'not_found',
    expect.stringContaining('has no strategy in words'),
  ])
  const said = await bench.backend.call('_cleveragents/plan/message/list', { plan_id })
  expect(said.messages).toEqual([])
})
