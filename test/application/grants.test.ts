import { describe, expect, it } from 'vitest'
import { startBench, whereabouts } from '../support/purpose-made.ts'

const KINDS = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
    - decide: {id: three, type: resource_selection, question: Three?, choose: x, options: [{id: x, label: X}]}
`

describe('a standing approval', () => {
  it('covers its own kind of decision, reaches as far as was said, and can be taken back', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/kinds', KINDS)
    const approve = (plan_id: string, grant: 'once' | 'plan' | 'profile') =>
      backend.call('_cleveragents/plan/approve', { plan_id, grant, wait: true })
    let first = await approve((await bench.start('local/kinds', 'supervised')).plan_id, 'once')
    const asked = first.gates[0]?.gate_id ?? ''
    first = await approve(first.plan_id, 'plan')
    expect(first.gates[0]?.question).toBe('Three?')
    expect(
      (await backend.call('_cleveragents/event/list', { plan_id: first.plan_id })).events,
    ).toContainEqual(
      expect.objectContaining({
        method: '_cleveragents/gate/resolved',
        gate: expect.objectContaining({ gate_id: asked, answer: expect.objectContaining({ grant: 'plan' }) }),
      }),
    )

    let second = await approve((await bench.start('local/kinds', 'supervised')).plan_id, 'once')
    expect(second.gates[0]?.question).toBe('One?')
    second = await approve(second.plan_id, 'profile')
    expect(second.gates[0]?.question).toBe('Three?')
    const listed = await backend.call('_cleveragents/grant/list', {})
    expect(listed.grants.map(each => [each.scope, each.profile, each.flag, each.decision_type])).toEqual([
      ['plan', null, 'execute_command', 'implementation_choice'],
      ['profile', 'supervised', 'execute_command', 'implementation_choice'],
    ])

    const third = await approve((await bench.start('local/kinds', 'supervised')).plan_id, 'once')
    expect(third.gates[0]?.question).toBe('Three?')
    const stricter = await approve((await bench.start('local/kinds', 'review')).plan_id, 'once')
    expect(whereabouts(stricter)).toContain('decision execute_command')

    const grant_id = listed.grants[1]?.grant_id ?? ''
    const revoked = await backend.call('_cleveragents/grant/revoke', { grant_id })
    expect(revoked.revoked_at).not.toBeNull()
    const fourth = await approve((await bench.start('local/kinds', 'supervised')).plan_id, 'once')
    expect(fourth.gates[0]?.question).toBe('One?')
  })
})
