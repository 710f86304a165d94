import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Ports } from '../../src/application/ports.ts'
import { refuse } from '../../src/domain/failure.ts'
import { automationGateNames } from '../../src/domain/gate/automation.ts'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'

/** One plan that comes by every gate: a step that fails twice, a check that fails until planned anew, a child, a conflict. */
const EVERYTHING = `
max_fix_attempts: 1
safety_profile: {max_retries_per_step: 1}
recipe:
  strategize:
    - decide: {id: how, type: strategy_choice, question: How?, options: [{id: x, label: X}], choose: x}
  execute:
    - decide: {id: write, type: implementation_choice, question: Write?, options: [{id: x, label: X}], choose: x}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "\${{ string(plan.attempt) }}"}}
    - validate: {command: "test \${{ plan.attempt }} -gt 1", fix: [{tool: {name: builtin/read_file, with: {path: a.txt}}}]}
    - spawn: {action: local/child, as: child}
`
const CHILD = `
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: child.txt, content: x}}
`

describe('the confidence controller', () => {
  it('is asked at each of the eleven gates before anything passes there', async () => {
    let left = 2
    let root = ''
    const bench = await startBench(undefined, {
      tools: tools =>
        wrapped(tools, async (run, path) => {
          if (left-- > 0) return refuse('transient', 'The disk was away.')
          // Somebody works on the same file meanwhile, once.
          if (path === 'child.txt' && root !== '') await writeFile(join(root, 'a.txt'), 'mine')
          if (path === 'child.txt') root = ''
          return run()
        }),
    })
    root = bench.repository.root
    await bench.action('local/child', CHILD)
    await bench.action('local/everything', EVERYTHING)
    const plan = await bench.start('local/everything', 'ci')
    expect([position(plan), await bench.read('child.txt')]).toEqual(['apply/applied', 'x'])
    const passed = judged(bench, plan.plan_id).filter(each => each.outcome === 'passed')
    expect([...new Set(passed.map(each => each.confidence.gate))].sort()).toEqual(
      [...automationGateNames].sort(),
    )
    const { events } = await bench.backend.call('_cleveragents/event/list', { plan_id: plan.plan_id })
    const told = events.filter(each => each.method === '_cleveragents/gate/passed')
    expect(told.length).toBeGreaterThanOrEqual(automationGateNames.length - 2)
  })

  it('pauses cautious at a cold start before Strategize and before Execute, and manual everywhere', async () => {
    const bench = await startBench()
    await bench.action('local/child', CHILD)
    let plan = await bench.start('local/child', 'cautious')
    expect([whereabouts(plan), plan.gates[0]?.confidence]).toEqual([
      'action/awaiting_input phase decompose_task',
      0.56,
    ])
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('strategize/awaiting_input phase create_tool')
    plan = await bench.start('local/child', 'manual')
    expect(judged(bench, plan.plan_id).map(each => [each.confidence.gate, each.outcome])).toEqual([
      ['autoStrategize', 'asked'],
    ])
  })
})

function judged(bench: Bench, planId: string) {
  return bench.backend.ports.store.judgements.listByPlan(asId<PlanId>(planId))
}

function wrapped(
  tools: Ports['tools'],
  around: (run: () => Result, path: unknown) => Result,
): Ports['tools'] {
  return {
    list: tools.list,
    find: name => {
      const tool = tools.find(name)
      if (!tool || name !== 'builtin/write_file') return tool
      return {
        ...tool,
        inputSchema: tool.inputSchema,
        outputSchema: tool.outputSchema,
        run: (input, context) => around(() => tool.run(input, context), input['path']),
      }
    },
  }
}

type Result = ReturnType<NonNullable<ReturnType<Ports['tools']['find']>>['run']>
