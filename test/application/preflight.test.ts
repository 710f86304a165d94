import { expect, it } from 'vitest'
import { asId } from '../../src/domain/ids.ts'
import { position, startBench } from '../support/purpose-made.ts'

const RISKY = `
safety_profile: {allowed_skill_categories: [search]}
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: a.txt, content: x}}
    - spawn: {action: local/gone, as: gone}
`
const CHECKED = `
recipe:
  execute:
    - for_each: {over: "\${{ project.checks }}", as: each, steps: [{validate: {command: "\${{ each.command }}"}}]}
`
const PARENT = `
recipe:
  execute:
    - spawn: {action: local/narrow, as: narrow}
`
const NARROW = `
safety_profile: {allowed_skill_categories: [search]}
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: a.txt, content: x}}
`

it('an unsatisfiable plan is rejected with everything that is wrong, kept on record, and never begins', async () => {
  const bench = await startBench()
  const { backend } = bench
  await bench.action('local/gone', CHECKED)
  await bench.action('local/risky', RISKY)
  await backend.call('_cleveragents/action/archive', { name: 'local/gone' })

  const refused = await backend.client.call('_cleveragents/plan/use', {
    action_name: 'local/risky',
    folder: bench.repository.root,
    automation_profile: 'full-auto',
    sandbox: 'none',
  })
  if (refused.ok) throw new Error('it was not refused')
  const { code, errorType, facts, message } = refused.failure
  expect([code, errorType]).toEqual([-32008, 'preflight_failed'])
  expect(message.split('\n')).toEqual([
    'Plan local/risky was not started: 2 of 7 checks before it failed.',
    'PRE-03 tools and actions: The action local/gone cannot be started: it is archived.',
    expect.stringContaining(
      'PRE-04 automation policy: local/risky uses builtin/write_file of the category edit',
    ),
  ])
  const plan_id = String(facts['plan_id'])
  const kept = await backend.call('_cleveragents/plan/status', { plan_id })
  expect([position(kept), kept.task_state]).toEqual(['action/errored', 'rejected'])
  expect(kept.preflight?.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'PRE-01 passed',
    'PRE-02 passed',
    'PRE-03 failed',
    'PRE-04 failed',
    'PRE-05 passed',
    'PRE-06 passed',
    'PRE-07 passed',
  ])
  expect(backend.ports.store.steps.listByPlan(asId(plan_id))).toEqual([])
  expect((await backend.refusal('_cleveragents/plan/resume', { plan_id })).errorType).toBe('invalid_state')
})

it('a plan that may begin is warned; what may not is rejected, a child where its parent asks', async () => {
  const bench = await startBench()
  const { backend } = bench
  await bench.action('local/checked', CHECKED)
  await bench.action('local/narrow', NARROW)
  await bench.action('local/parent', PARENT)
  const common = { folder: bench.repository.root, attended: false }
  const warned = await backend.use({ ...common, action_name: 'local/checked', automation_profile: 'manual' })
  const messages = warned.preflight?.flatMap(({ findings }) => findings.map(({ message }) => message))
  expect(messages).toEqual([
    expect.stringContaining('Nobody is here to answer, and profile manual always asks'),
    expect.stringContaining('agents project trust'),
  ])
  expect(position(warned)).toBe('action/awaiting_input')

  const parent = await backend.use({ ...common, action_name: 'local/parent', automation_profile: 'ci' })
  expect(position(parent)).toBe('execute/awaiting_input')
  const child = await backend.call('_cleveragents/plan/status', {
    plan_id: parent.children[0]?.plan_id ?? '',
  })
  expect(position(child)).toBe('strategize/errored')
  expect(child.reason).toContain('PRE-04 automation policy: local/narrow uses builtin/write_file')

  const { validations } = backend.ports.store
  const runs = { kind: 'tool', tool: 'local/gone', input: {}, transform: 'true' } as const
  validations.put({ name: 'local/lint', description: '', mode: 'required', runs })
  await backend.call('_cleveragents/validation/attach', { name: 'local/lint', project: warned.project.name })
  const message = (
    await backend.refusal('_cleveragents/plan/use', { ...common, action_name: 'local/checked' })
  ).message
  expect(message).toContain('PRE-07 validations: The validation local/lint is attached here and wraps')
})
