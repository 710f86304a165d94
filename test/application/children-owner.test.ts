import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { startBackend } from '../support/backend.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'
import { waitFor } from '../support/wait-for.ts'

const isLong = process.env['LONG'] === '1'

/** It lists the files, which takes as long as the test wants, and then writes one. */
const SLOW = `
arguments:
  - {name: path, type: string, required: true}
recipe:
  execute:
    - tool: {name: builtin/list_files, with: {glob: "*"}}
    - tool: {name: builtin/write_file, with: {path: "\${{ args.path }}", content: "done"}}
`

const ASKS = `
recipe:
  execute:
    - ask: {question: Really?, options: [{id: "yes", label: "Yes"}]}
    - tool: {name: builtin/write_file, with: {path: asked.txt, content: "yes"}}
`

const TWO = `
    - spawn: {parallel: [{action: local/slow, args: {path: a1.txt}, as: one}, {action: local/slow, args: {path: a2.txt}, as: two}, {action: local/slow, args: {path: a3.txt}, as: three}], max_parallel: 2}`

/** The same, and the decision that starts them rests on one that changed a file. */
const RESTS = `
    - tool: {name: builtin/write_file, with: {path: first.txt, content: "zero"}}
    - decide: {id: first, type: implementation_choice, question: First?, choose: x, options: [{id: x, label: X, set: {first: x}}, {id: y, label: Y, set: {first: y}}]}
    - tool: {name: builtin/write_file, with: {path: first.txt, content: "\${{ vars.first }}"}}${TWO.replace('spawn: {', 'spawn: {depends_on: [first], ')}`

describe('the children of a plan', () => {
  it('are cancelled with it, whatever they are doing, and nothing of them runs on', async () => {
    const { bench, held, plan } = await whileTwoRun(TWO)
    const cancelled = await bench.backend.call('_cleveragents/plan/cancel', { ...plan, wait: true })
    expect(position(cancelled)).toBe('execute/cancelled')
    expect(cancelled.children.map(each => each.state)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(cancelled.children[0]?.reason).toBe('local/parent is cancelled')
    await waitFor(() => bench.backend.ports.store.leases.list().length === 0)
    expect(held.ended()).toBe(held.begun())
  })

  it('pause with it when their steps have ended, and go on with it', async () => {
    const { bench, held, plan } = await whileTwoRun(TWO)
    const pausing = bench.backend.call('_cleveragents/plan/pause', plan)
    held.letGo()
    const paused = await pausing
    expect(position(paused)).toBe('execute/paused')
    const states = (await status(bench, plan)).children.map(each => each.state)
    expect(states.slice(2)).toEqual(['queued'])
    const resumed = await bench.backend.call('_cleveragents/plan/resume', { ...plan, wait: true })
    expect([whereabouts(resumed), resumed.changes?.files]).toEqual([
      'execute/awaiting_input phase select_tool',
      3,
    ])
  })

  it.runIf(isLong)('pause one by one, and the plan above waits for that one alone', async () => {
    const { bench, held, plan } = await whileTwoRun(TWO)
    const child = { plan_id: (await status(bench, plan)).children[0]?.plan_id ?? '' }
    const pausing = bench.backend.call('_cleveragents/plan/pause', child)
    held.letGo()
    await pausing
    const waiting = await bench.backend.call('_cleveragents/plan/status', { ...plan, wait: true })
    expect([position(waiting), waiting.reason, waiting.children.map(each => each.state)]).toEqual([
      'execute/awaiting_input',
      'waits for local/parent/one: paused',
      ['paused', 'complete', 'complete'],
    ])
    await bench.backend.call('_cleveragents/plan/resume', { ...child, wait: true })
    const done = await bench.backend.call('_cleveragents/plan/status', { ...plan, wait: true })
    expect([whereabouts(done), done.changes?.files]).toEqual(['execute/awaiting_input phase select_tool', 3])
  })

  it('pause when the program ends, and the next one resumes all of them by their parent', async () => {
    const { bench, held, plan } = await whileTwoRun(TWO)
    await bench.backend.stop()
    const next = await startBackend({ dataDir: bench.backend.dataDir })
    const paused = await next.call('_cleveragents/plan/status', plan)
    expect([position(paused), ...paused.children.map(each => each.state)]).toEqual([
      'execute/paused',
      'paused',
      'paused',
      'queued',
    ])
    held.letGo()
    const resumed = await next.call('_cleveragents/plan/resume', { ...plan, wait: true })
    expect([whereabouts(resumed), resumed.changes?.files]).toEqual([
      'execute/awaiting_input phase select_tool',
      3,
    ])
    expect(resumed.children).toHaveLength(3)
  })

  it('are stopped for a correction, and go on where it fails', async () => {
    const { bench, held, plan } = await whileTwoRun(RESTS)
    const { steps, events } = bench.backend.ports.store
    const states = join(bench.backend.dataDir, 'plans', plan.plan_id, 'git')
    const stopListening = events.onChange(() => {
      if (steps.last(asId<PlanId>(plan.plan_id))?.kind !== 'restore') return
      stopListening()
      renameSync(states, `${states}.away`)
    })
    const decisions = (await bench.backend.call('_cleveragents/plan/tree', plan)).decisions
    const decision_id = decisions.find(each => each.key === 'first')?.decision_id ?? ''
    const wanted = { decision_id, mode: 'revert' as const, guidance: 'y' }
    await bench.backend.refusal('_cleveragents/plan/correct', wanted)
    renameSync(`${states}.away`, states)

    expect(position(await status(bench, plan))).toBe('execute/errored')
    await waitFor(() => held.begun() === 4)
    held.letGo()
    const resumed = await bench.backend.call('_cleveragents/plan/resume', { ...plan, wait: true })
    expect([whereabouts(resumed), resumed.changes?.files]).toEqual([
      'execute/awaiting_input phase select_tool',
      4,
    ])
  })

  it.runIf(isLong)(
    'are cancelled by a rollback only once they stand still, and begin anew under names of their own',
    async () => {
      const { bench, held, plan } = await whileTwoRun(RESTS)
      const decisions = (await bench.backend.call('_cleveragents/plan/tree', plan)).decisions
      const decision_id = decisions.find(each => each.key === 'first')?.decision_id ?? ''
      const wanted = { decision_id, mode: 'revert' as const, guidance: 'y' }
      await bench.backend.call('_cleveragents/plan/correct', wanted)
      await waitFor(() => held.begun() === 4)
      const running: unknown[] = []
      const { steps, events, leases } = bench.backend.ports.store
      const stopListening = events.onChange(() => {
        if (steps.last(asId<PlanId>(plan.plan_id))?.kind !== 'restore') return
        stopListening()
        running.push(...leases.list().filter(({ planId }) => planId !== plan.plan_id))
      })

      const undone = await bench.backend.call('_cleveragents/plan/undo', plan)

      expect([running, undone.impact.plans.map(({ name }) => name)]).toEqual([
        [],
        ['one-2', 'two-2', 'three-2'].map(key => `local/parent/${key}`),
      ])
      held.letGo()
      const after = await bench.approve(undone.plan)
      expect(after.children.flatMap(({ name, state }) => (state === 'complete' ? [name] : []))).toEqual(
        ['one-3', 'two-3', 'three-3'].map(key => `local/parent/${key}`),
      )
      expect(after.changes?.files).toBe(4)
    },
  )

  it('can be answered by another process, which then runs child and parent', async () => {
    const bench = await benchWith(`
    - spawn: {action: local/asks, as: asks}`)
    const asked = await bench.start('local/parent', 'trusted')
    expect(whereabouts(asked)).toBe('execute/awaiting_input ask -')
    const there = await startBackend({ dataDir: bench.backend.dataDir, pid: process.ppid })
    const answer = { plan_id: asked.plan_id, option_id: 'yes', wait: true }
    const [answered, here] = await Promise.all([
      there.call('_cleveragents/plan/approve', answer),
      bench.backend.call('_cleveragents/plan/status', { plan_id: asked.plan_id }),
    ])
    expect(whereabouts(answered)).toBe('execute/awaiting_input phase select_tool')
    expect(here.plan_id).toBe(answered.plan_id)
    expect(answered.changes?.files).toBe(1)
  })

  it('count as failed when they have not begun in time, and the plan above asks', async () => {
    const bench = await benchWith(TWO, { flags: { 'children.seconds-to-begin': '1' } })
    const { ports, dataDir } = bench.backend
    const idle = (await startBackend({ dataDir, pid: process.ppid })).ports.host.process
    // A living process that never does anything takes the right to run whatever begins.
    const stop = ports.store.events.onChange(() => {
      for (const { planId, parentPlanId, position: at } of ports.store.plans.list({ limit: 100 }))
        if (parentPlanId !== null && at === 'strategize/queued' && ports.store.leases.get(planId) === null)
          ports.store.leases.put({ planId, holder: idle, takenAt: '', heartbeatAt: '' })
    })
    const plan = await bench.start('local/parent', 'trusted')
    stop()
    expect(plan.gates[0]?.question).toContain('failed: it did not begin within 1 seconds')
  })
})

function status(bench: Bench, plan: { plan_id: string }): Promise<PlanView> {
  return bench.backend.call('_cleveragents/plan/status', plan)
}

async function whileTwoRun(steps: string) {
  const held = hold()
  const bench = await benchWith(steps, { tools: held.tools })
  const { plan_id } = await bench.backend.call('_cleveragents/plan/use', {
    action_name: 'local/parent',
    automation_profile: 'trusted',
    folder: bench.repository.root,
  })
  await waitFor(() => held.begun() === 2)
  return { bench, held, plan: { plan_id } }
}

/** Keeps every listing of files waiting until it is let go, or its plan stopped. */
function hold() {
  const free = Promise.withResolvers<void>()
  let [begun, ended] = [0, 0]
  const tools: NonNullable<NonNullable<Parameters<typeof startBackend>[0]>['tools']> = all => ({
    ...all,
    find: name => {
      const tool = all.find(name)
      if (tool?.name !== 'builtin/list_files') return tool
      return {
        ...tool,
        run: async (input, context) => {
          begun++
          const aborted = new Promise<void>(resolve =>
            context.signal.addEventListener('abort', () => resolve(), { once: true }),
          )
          await Promise.race([free.promise, aborted])
          ended++
          return tool.run(input, context)
        },
      }
    },
  })
  return { tools, letGo: () => free.resolve(), begun: () => begun, ended: () => ended }
}

async function benchWith(steps: string, options: Parameters<typeof startBackend>[0] = {}): Promise<Bench> {
  const bench = await startBench(undefined, options)
  await bench.action('local/slow', SLOW)
  await bench.action('local/asks', ASKS)
  await bench.action('local/parent', `recipe:\n  execute:${steps}\n`)
  return bench
}
