import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { asId } from '../../src/domain/ids.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'

const WRITES = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: new}}
`

const flags = [
  ...['decompose_task', 'create_tool', 'select_tool', 'edit_code', 'execute_command', 'create_file'],
  ...['delete_content', 'access_network', 'install_dependency', 'modify_config', 'approve_plan'],
]

/** A profile that passes everything but what is named. */
function profileText(name: string, asks: readonly string[], more = ''): string {
  const thresholds = flags.map(flag => `${flag}: ${asks.includes(flag) ? 1 : 0}\n`)
  return `name: ${name}\ndescription: ${name}\n${thresholds.join('')}${more}`
}

function add({ backend }: Bench, text: string, strict = false) {
  return backend.call('_cleveragents/automation-profile/add', { text, file: 'p.yaml', strict })
}

async function allowChanges({ backend }: Bench, value: 'on' | 'off' = 'on') {
  await backend.call('_cleveragents/config/set', { key: 'plans.profile-changes', value })
}

describe('a profile of the user', () => {
  it('governs the plans that name it, and those keep it whatever becomes of it', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/writes', `automation_profile: careful\n${WRITES}`)
    const unknown = await backend.refusal('_cleveragents/plan/use', {
      action_name: 'local/writes',
      folder: bench.repository.root,
    })
    expect(unknown.message).toContain('There is no automation profile careful (its action names it).')

    const added = await add(bench, profileText('careful', ['execute_command', 'select_tool']))
    expect(added.profile).toMatchObject({ name: 'local/careful', built_in: false, guards: null })
    expect(added.notices).toEqual([expect.stringContaining('p.yaml:1:1 name: has no namespace')])
    const again = await backend.refusal('_cleveragents/automation-profile/add', {
      text: profileText('local/careful', []),
      file: 'p.yaml',
    })
    expect([again.errorType, again.message]).toEqual([
      'already_exists',
      expect.stringContaining('agents automation-profile update local/careful --config FILE'),
    ])
    const plan = await backend.use({ action_name: 'local/writes', folder: bench.repository.root })
    expect(plan.profile).toEqual({ name: 'local/careful', source: 'action' })
    expect(whereabouts(plan)).toBe('execute/awaiting_input decision execute_command')

    const update = (name: string, text: string) => ({ name, text, file: 'p.yaml' })
    const other = await backend.refusal(
      '_cleveragents/automation-profile/update',
      update('careful', profileText('local/other', [])),
    )
    expect(other.message).toContain('p.yaml holds local/other, not local/careful')
    const broad = 'guards: {tool_allowlist: [read_file, "run_command(npm *)"]}\n'
    const updated = await backend.call(
      '_cleveragents/automation-profile/update',
      update('careful', profileText('local/careful', [], broad)),
    )
    expect(updated.notices).toEqual([expect.stringContaining('run_command(npm *) lets npm run any other')])
    const named = await backend.refusal('_cleveragents/automation-profile/delete', { name: 'careful' })
    expect(named.message).toContain('The profile local/careful is named by the action local/writes.')
    const deleted = await backend.call('_cleveragents/automation-profile/delete', {
      name: 'local/careful',
      force: true,
    })
    expect(deleted).toEqual({
      name: 'local/careful',
      named_by: ['the action local/writes'],
      revoked_grants: 0,
    })
    const decided = await bench.approve(plan)
    expect(whereabouts(decided)).toBe('execute/awaiting_input phase select_tool')
    expect(position(await bench.approve(decided))).toBe('apply/applied')
  })

  it('is refused with everything that is wrong, and built-in ones are nobody’s to change', async () => {
    const bench = await startBench()
    const { backend } = bench
    const broken = await backend.refusal('_cleveragents/automation-profile/add', {
      text: 'name: auto\nselect_tool: yes\nguards: {}\nguard: {}\n',
      file: 'broken.yaml',
    })
    expect(broken.message.split('\n').map(line => line.slice(0, line.indexOf(' ')))).toEqual([
      'broken.yaml:1:1',
      'broken.yaml:2:1',
      'broken.yaml:4:1',
    ])
    for (const method of ['update', 'delete'] as const) {
      const params = { name: 'manual', text: profileText('manual', []), file: 'p.yaml' }
      const denied = await backend.refusal(`_cleveragents/automation-profile/${method}`, params)
      expect([denied.errorType, denied.message]).toEqual([
        'denied',
        expect.stringContaining('built-in profile'),
      ])
    }
    const list = async () => (await backend.call('_cleveragents/automation-profile/list', {})).profiles
    expect(await list()).toHaveLength(8)
    await add(bench, profileText('local/auto', flags))
    expect((await list()).at(-1)).toMatchObject({ name: 'local/auto', built_in: false })
    const shown = await backend.call('_cleveragents/automation-profile/show', { name: 'auto' })
    expect(shown.built_in).toBe(true)
  })

  it('is not deleted while a setting names it, and its approvals end with it', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/writes', WRITES)
    await add(bench, profileText('local/careful', ['execute_command']))
    const plan = await bench.start('local/writes', 'careful')
    await backend.call('_cleveragents/plan/approve', { plan_id: plan.plan_id, grant: 'profile', wait: true })
    const key = 'core.automation-profile'
    await backend.call('_cleveragents/config/set', { key, value: 'careful' })
    const project = plan.project.name
    await backend.call('_cleveragents/config/set', { key, value: 'local/careful', project })
    const refused = await backend.refusal('_cleveragents/automation-profile/delete', { name: 'careful' })
    expect(refused.message).toContain(
      `named by the setting ${key} of ${project}, the setting ${key}. Name another one there`,
    )
    await backend.call('_cleveragents/config/set', { key, value: 'manual' })
    await backend.call('_cleveragents/config/set', { key, value: 'manual', project })
    const deleted = await backend.call('_cleveragents/automation-profile/delete', { name: 'careful' })
    expect(deleted).toMatchObject({ named_by: [], revoked_grants: 1 })
    const { grants } = await backend.call('_cleveragents/grant/list', {})
    expect(grants.map(grant => grant.revoked_at === null)).toEqual([false])
  })
})

describe("a plan's profile", () => {
  it('shows who made which field stricter, in the plan and in its child', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action(
      'local/child',
      `safety_profile: {max_retries_per_step: 1}\nguards: {max_total_cost: 3, require_approval_for_writes: false}\n${WRITES}`,
    )
    await bench.action(
      'local/parent',
      'safety_profile: {require_human_approval: false, allow_unsafe_tools: false}\nguards: {max_total_cost: 5, max_tool_calls_per_step: 90, tool_denylist: [builtin/move_file]}\nrecipe:\n  execute:\n    - spawn: {action: local/child, as: c}\n',
    )
    const project = bench.repository.root
    const { name } = await backend.call('_cleveragents/project/show', { project })
    await backend.call('_cleveragents/config/set', {
      key: 'safety.require-checkpoints',
      value: 'on',
      project: name,
    })
    await backend.call('_cleveragents/config/set', { key: 'safety.require-sandbox', value: 'on' })
    await add(
      bench,
      profileText(
        'local/free',
        ['select_tool'],
        'safety: {require_sandbox: false, require_checkpoints: false, allow_unsafe_tools: true}\nguards: {max_tool_calls_per_step: 50, tool_denylist: [builtin/delete_file]}\n',
      ),
    )
    const plan = await bench.start('local/parent', 'free')
    const show = async (plan_id: string) => backend.call('_cleveragents/plan/profile/show', { plan_id })
    const own = await show(plan.plan_id)
    expect(own.profile.safety).toMatchObject({
      require_sandbox: true,
      require_checkpoints: true,
      allow_unsafe_tools: false,
    })
    expect(own.sources).toMatchObject({
      select_tool: 'profile',
      'safety.require_sandbox': 'setting',
      'safety.require_checkpoints': 'project',
      'safety.allow_unsafe_tools': 'action',
      'safety.require_human_approval': 'profile',
    })
    expect(own.guards).toMatchObject({
      max_tool_calls_per_step: { value: 50, source: 'profile' },
      max_total_cost: { value: 5, source: 'action' },
      tool_denylist: [
        { entry: 'builtin/move_file', source: 'action' },
        { entry: 'builtin/delete_file', source: 'profile' },
      ],
      require_approval_for_writes: { value: false, source: null },
    })
    const child = await show(plan.children[0]?.plan_id ?? '')
    expect([child.source, child.profile.guards]).toEqual(['parent', own.profile.guards])
    expect(child.sources).toMatchObject({
      select_tool: 'parent',
      'safety.require_sandbox': 'parent',
      'safety.max_retries_per_step': 'action',
    })
    expect(child.guards).toMatchObject({
      max_tool_calls_per_step: { value: 50, source: 'parent' },
      max_total_cost: { value: 3, source: 'action' },
      tool_denylist: [
        { entry: 'builtin/move_file', source: 'parent' },
        { entry: 'builtin/delete_file', source: 'parent' },
      ],
    })
  })

  it('is changed only by a person, where that is allowed, and only while nothing of the plan runs', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/child', WRITES)
    await bench.action(
      'local/parent',
      'recipe:\n  execute:\n    - spawn: {action: local/child, as: first}\n    - spawn: {action: local/child, as: second}\n',
    )
    await add(bench, profileText('local/asks', ['execute_command', 'select_tool']))
    const plan = await bench.start('local/parent', 'local/asks')
    const set = (name: string, reason = 'I watch now', plan_id = plan.plan_id) => ({ plan_id, name, reason })
    const off = await backend.refusal('_cleveragents/plan/profile/set', set('auto'))
    expect([off.errorType, off.message]).toEqual([
      'denied',
      expect.stringContaining('agents config set plans.profile-changes on'),
    ])
    await allowChanges(bench)
    const first = await bench.approve(plan)
    expect(whereabouts(first)).toBe('execute/awaiting_input decision execute_command')
    const child = first.children[0]?.plan_id ?? ''
    const refusals = [
      [set('auto', ' '), 'Say why'],
      [set('relaxed'), 'There is no automation profile relaxed.'],
      [set('auto', 'x', child), 'Set it on local/parent; children made from then on have it.'],
    ] as const
    for (const [params, message] of refusals)
      expect((await backend.refusal('_cleveragents/plan/profile/set', params)).message).toContain(message)

    const changed = await backend.call('_cleveragents/plan/profile/set', set('auto'))
    expect([changed.profile.name, changed.source]).toEqual(['auto', 'plan'])
    const still = await backend.call('_cleveragents/plan/status', { plan_id: plan.plan_id })
    expect(still.gates.map(gate => gate.gate_id)).toEqual(first.gates.map(gate => gate.gate_id))
    const done = await bench.approve(still)
    expect(whereabouts(done)).toBe('execute/awaiting_input phase select_tool')
    expect(await profilesBelow(bench, done)).toEqual(['local/asks', 'auto'])

    const { events } = await backend.call('_cleveragents/event/list', { plan_id: plan.plan_id })
    expect(events.filter(({ method }) => method === '_cleveragents/plan/profileChanged')).toEqual([
      expect.objectContaining({ from: 'local/asks', to: 'auto', reason: 'I watch now', by: 'tester' }),
    ])
    const { decisions } = await backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    expect(decisions.filter(each => each.type === 'user_intervention')).toEqual([
      expect.objectContaining({ decided_by: 'human', rationale: 'I watch now (tester)' }),
    ])
    await backend.call('_cleveragents/plan/cancel', { plan_id: plan.plan_id })
    const over = await backend.refusal('_cleveragents/plan/profile/set', set('manual'))
    expect(over.message).toContain('nothing of it runs again')
  })

  it('cannot become one that its sandbox does not suit, nor change while the plan runs', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/writes', WRITES)
    await allowChanges(bench)
    await add(
      bench,
      profileText(
        'local/free',
        ['execute_command'],
        'safety: {require_sandbox: false, require_checkpoints: false}\n',
      ),
    )
    const plan = await bench.start('local/writes', 'free', {}, 'none')
    const set = { plan_id: plan.plan_id, name: 'cautious', reason: 'be careful' }
    const refused = await backend.refusal('_cleveragents/plan/profile/set', set)
    expect([refused.errorType, refused.message]).toEqual([
      'denied',
      expect.stringContaining('requires a sandbox'),
    ])
    const running = bench.backend.ports.store.plans.find(asId(plan.plan_id))
    if (!running) throw new Error('no plan')
    bench.backend.ports.store.plans.update({ ...running, position: 'execute/running' })
    const moving = await backend.refusal('_cleveragents/plan/profile/set', { ...set, name: 'free' })
    expect(moving.message).toContain('Pause local/writes first: agents plan pause local/writes')
  })
})

describe('what would wait', () => {
  it('is told before a plan is made, under the profile that it would get', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/writes', WRITES)
    const project = bench.repository.root
    const preview = (more: object = {}) =>
      backend.call('_cleveragents/automation-profile/preview', { action_name: 'writes', project, ...more })
    expect(await preview()).toMatchObject({
      action: 'local/writes',
      source: 'default',
      profile: { name: 'manual' },
    })
    const careful = await preview({ automation_profile: 'cautious' })
    const said = careful.gates.map(({ flag, asks, reached }) => `${flag} ${asks} ${reached}`)
    expect(said).toEqual([
      'decompose_task below on_the_way',
      'create_tool below on_the_way',
      'select_tool always on_the_way',
      'edit_code below never',
      'execute_command below on_the_way',
      'create_file below never',
      'delete_content below on_failure',
      'access_network below on_failure',
      'install_dependency below never',
      'modify_config never on_failure',
      'approve_plan below on_failure',
    ])
    expect((await backend.call('_cleveragents/plan/list', {})).plans).toEqual([])
    expect((await backend.call('_cleveragents/project/list', {})).projects).toEqual([])
  })
})

async function profilesBelow({ backend }: Bench, plan: PlanView): Promise<string[]> {
  const names = plan.children.map(async ({ plan_id }) => {
    const { profile } = await backend.call('_cleveragents/plan/profile/show', { plan_id })
    return profile.name
  })
  return Promise.all(names)
}
