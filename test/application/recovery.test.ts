import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Ports } from '../../src/application/ports.ts'
import { refuse } from '../../src/domain/failure.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'

const WRITES = `
safety_profile: {max_retries_per_step: 1}
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: a.txt, content: whole}}
`

describe('a step that fails for a while', () => {
  it('is tried again when a person says so, and is given up with the plan when they do not', async () => {
    const bench = await startBench(undefined, { tools: tools => failing(tools, 2) })
    await bench.action('local/writes', WRITES)
    let plan = await bench.start('local/writes', 'manual')
    plan = await bench.approve(await bench.approve(plan))
    expect([whereabouts(plan), plan.gates[0]?.options.map(each => each.id)]).toEqual([
      'execute/awaiting_input retry modify_config',
      ['again', 'stop'],
    ])
    plan = await bench.reject(plan)
    expect(position(plan)).toBe('execute/errored')
    plan = await bench.backend.call('_cleveragents/plan/resume', { plan_id: plan.plan_id, wait: true })
    expect(whereabouts(plan)).toBe('execute/awaiting_input resume approve_plan')
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input retry modify_config')
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    const diff = await bench.backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    expect(diff.files.map(each => each.path)).toEqual(['a.txt'])
  })

  it('is tried again by itself, then from the restored state, then only by a person: never more often than may be', async () => {
    const bench = await startBench(undefined, { tools: tools => failing(tools, 4) })
    await bench.action('local/writes', WRITES)
    let plan = await bench.start('local/writes', 'auto')
    expect([whereabouts(plan), plan.gates[0]?.reason]).toEqual([
      'execute/awaiting_input restore approve_plan',
      'it was tried again as often as it may be by itself: 1',
    ])
    const { decisions } = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    expect(
      decisions
        .filter(each => each.type === 'error_recovery')
        .map(each => [each.chosen_option.label, each.decided_by, each.gate_confidence?.flag]),
    ).toEqual([['Restore the state before it and try again, 1 of 1', 'profile', 'approve_plan']])
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    const diff = await bench.backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    expect(diff.files.map(each => each.path)).toEqual(['a.txt'])
  })

  it('is not tried again by itself once a guard is against it', async () => {
    let calls = 0
    const forbid = (): void => {
      if (++calls > 1) return
      const [plan] = bench.backend.ports.store.plans.list({ limit: 1 })
      if (!plan) throw new Error('there is no plan')
      const guardOverlay = { denied: ['builtin/write_file'], undenied: [] }
      bench.backend.ports.store.plans.update({ ...plan, guardOverlay })
    }
    const bench: Bench = await startBench(undefined, { tools: tools => failing(tools, 2, forbid) })
    await bench.action('local/writes', WRITES)
    const plan = await bench.start('local/writes', 'auto')
    expect([whereabouts(plan), calls]).toEqual(['execute/awaiting_input guard -', 1])
  })

  it('that ends in a fault of the program keeps no money', async () => {
    const faulty = (tools: Ports['tools']) =>
      failing(tools, 9, () => {
        throw new Error('a fault')
      })
    const bench = await startBench(undefined, { tools: faulty })
    await bench.action(
      'local/writes',
      WRITES.replace('name: builtin/write_file,', 'name: builtin/write_file, cost_usd: 0.5,'),
    )
    const plan = await bench.start('local/writes', 'auto')
    const { ledger, plans } = bench.backend.ports.store
    const { planId } = plans.list({ limit: 1 })[0] ?? {}
    if (planId === undefined) throw new Error('there is no plan')
    expect(plan.state).not.toBe('running')
    expect(ledger.reserved(planId)).toEqual([])
  })
})

/** The first calls of write_file end half-way. */
function failing(tools: Ports['tools'], times: number, happens: () => void = () => {}): Ports['tools'] {
  let left = times
  return {
    list: tools.list,
    find: name => {
      const tool = tools.find(name)
      if (!tool || name !== 'builtin/write_file') return tool
      return {
        ...tool,
        inputSchema: tool.inputSchema,
        outputSchema: tool.outputSchema,
        run: async (input, context) => {
          if (left-- <= 0) return tool.run(input, context)
          happens()
          await writeFile(join(context.root, 'half.txt'), 'half')
          return refuse('transient', 'The disk was away.')
        },
      }
    },
  }
}
