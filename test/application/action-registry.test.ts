import { describe, expect, it } from 'vitest'
import { startBench } from '../support/purpose-made.ts'

const recipe = (text: string) => `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: ${text}}}
`

describe('the action registry', () => {
  it('refuses a broken file with every problem and its line', async () => {
    const bench = await startBench()
    const refused = await bench.backend.refusal('_cleveragents/action/create', {
      file: 'broken.yaml',
      text: 'name: local/broken\ndescription: d\ndefinition_of_done: d\nstrategy_actor: builtin/recipe\nexecution_actor: builtin/recipe\ncolour: red\nrecipe:\n  execute:\n    - tool: {name: builtin/wirte_file}\n',
    })
    expect(refused.errorType).toBe('invalid_input')
    expect(refused.message).toMatch(/broken\.yaml:6:\d+.*colour/)
    expect(refused.message).toMatch(/broken\.yaml:9:\d+.*wirte_file/)
  })

  it('replaces a version for new plans only, and takes an archived action out of use', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/note', recipe('old'))
    const waiting = await bench.start('local/note', 'supervised')
    await bench.action('local/note', recipe('new'))
    let plan = waiting
    while (plan.state === 'awaiting_input') plan = await bench.approve(plan)
    expect(await bench.read('a.txt')).toBe('old')
    const guards =
      'guards: {tool_allowlist: ["builtin/run_command(bash *)", "builtin/run_command(npm test)"]}'
    const text = `name: local/broad\ndescription: a\ndefinition_of_done: b\nstrategy_actor: builtin/recipe\nexecution_actor: builtin/recipe\n${guards}${recipe('x')}`
    const broad = await backend.call('_cleveragents/action/create', { text, file: 'broad.yaml' })
    expect(broad.notices).toEqual([expect.stringContaining('lets bash run any other program')])
    await bench.start('note', 'ci')
    expect(await bench.read('a.txt')).toBe('new')
    await backend.call('_cleveragents/action/archive', { name: 'note' })
    const shown = await backend.call('_cleveragents/action/show', { name: 'local/note' })
    expect(shown.state).toBe('archived')
    const refused = await backend.refusal('_cleveragents/plan/use', {
      action_name: 'local/note',
      folder: bench.repository.root,
    })
    expect(refused.message).toContain('archived')
    const misspelt = await backend.refusal('_cleveragents/action/show', { name: 'local/nope' })
    expect(misspelt.message).toContain('local/note')
  })
})

describe("a plan's profile", () => {
  it('comes from the plan, else the action, else the project, else the configuration, else is manual', async () => {
    const bench = await startBench()
    const { backend, repository } = bench
    await bench.action('local/plain', recipe('x'))
    await bench.action('local/wishes', `automation_profile: review\n${recipe('x')}`)
    const use = async (action_name: string, automation_profile?: string) => {
      const params = {
        action_name,
        folder: repository.root,
        ...(automation_profile ? { automation_profile } : {}),
      }
      const plan = await backend.call('_cleveragents/plan/use', { ...params, wait: true })
      await backend.call('_cleveragents/plan/cancel', { plan_id: plan.plan_id })
      return [plan.profile.name, plan.profile.source]
    }
    expect(await use('local/plain')).toEqual(['manual', 'default'])
    const key = 'core.automation-profile'
    await backend.call('_cleveragents/config/set', { key, value: 'supervised' })
    expect(await use('local/plain')).toEqual(['supervised', 'global'])
    const { project } = await backend.call('_cleveragents/plan/status', { plan_id: '@latest' })
    await backend.call('_cleveragents/config/set', { key, value: 'cautious', project: project.name })
    expect(await use('local/plain')).toEqual(['cautious', 'project'])
    expect(await use('local/wishes')).toEqual(['review', 'action'])
    expect(await use('local/wishes', 'manual')).toEqual(['manual', 'plan'])
    const refused = await backend.refusal('_cleveragents/plan/use', {
      action_name: 'local/plain',
      folder: repository.root,
      automation_profile: 'relaxed',
    })
    expect(refused.message).toContain('Known: manual, review, supervised')
  })
})
