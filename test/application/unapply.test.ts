import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type Bench, startBench, whereabouts } from '../support/purpose-made.ts'

const lines = Array.from({ length: 12 }, (_, at) => `line ${at}\n`).join('')
const WRITE = `
recipe:
  execute:
    - decide: {id: how, type: implementation_choice, question: How?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/replace_text, with: {find: line 1, replace: plan 1, glob: a.txt}}
    - tool: {name: builtin/write_file, with: {path: made/b.txt, content: "made\\n"}}
    - tool: {name: builtin/delete_file, with: {path: gone.txt}}
    - tool: {name: builtin/write_file, with: {path: same.txt, content: "both\\n"}}
`

describe('taking back what a plan applied', () => {
  it('is a plan of its own: one decision, its own gate before Apply, and what was changed since stays', async () => {
    const { bench, plan } = await applied()
    await bench.repository.write({ 'a.txt': (await bench.read('a.txt')).replace('line 5\n', 'mine\n') })
    const back = await unapply(bench, plan, { note: 'breaks the build' })
    expect([whereabouts(back), back.action, back.profile.name]).toEqual([
      'execute/awaiting_input phase select_tool',
      'builtin/unapply',
      'auto',
    ])
    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: back.plan_id })
    expect(tree.decisions.filter(each => each.key).map(each => each.chosen_option)).toEqual([
      {
        id: 'take_back',
        label: expect.stringMatching(/^Take back 3 files, \+/),
        rationale: 'breaks the build',
      },
    ])
    expect(await status(bench, plan)).toMatchObject({ name: back.name, state: 'awaiting_input' })
    expect(await bench.read('made/b.txt')).toBe('made\n')

    const done = await bench.approve(back)
    expect([whereabouts(done), done.applied]).toEqual(['apply/applied', 'all'])
    expect(await bench.read('a.txt')).toBe(lines.replace('line 5\n', 'mine\n'))
    expect(await bench.read('gone.txt')).toBe('old\n')
    await expect(bench.read('made/b.txt')).rejects.toMatchObject({ code: 'ENOENT' })
    // The user had made that change before, so it was never the plan's.
    expect(await bench.read('same.txt')).toBe('both\n')

    const again = await bench.backend.refusal('_cleveragents/plan/unapply', { plan_id: plan.plan_id })
    expect(again.message).toBe(
      `Plan ${plan.name} was taken back by ${back.name} already. Nothing was changed.`,
    )
    const redone = await bench.approve(await unapply(bench, done))
    expect([whereabouts(redone), await bench.read('made/b.txt')]).toEqual(['apply/applied', 'made\n'])
    const third = await unapply(bench, plan)
    expect(whereabouts(third)).toBe('execute/awaiting_input phase select_tool')
  })

  it('stops with each place that was changed since, before anything is written', async () => {
    const { bench, plan } = await applied()
    await bench.repository.write({ 'a.txt': (await bench.read('a.txt')).replace('plan 1\n', 'mine\n') })
    const met = await unapply(bench, plan)
    expect(whereabouts(met)).toBe('execute/awaiting_input error -')
    expect(met.gates[0]?.question).toMatch(/changed since, so nothing was written\. a\.txt: /)
    expect(await bench.read('made/b.txt')).toBe('made\n')
    const meanwhile = await bench.backend.refusal('_cleveragents/plan/unapply', { plan_id: plan.plan_id })
    expect(meanwhile.message).toContain(
      `is being taken back by ${met.name}, which is awaiting input in execute`,
    )
    await bench.backend.call('_cleveragents/plan/cancel', { plan_id: met.plan_id })
    await bench.repository.write({
      'a.txt': lines
        .replace('line 1\n', 'plan 1\n')
        .replace('line 10', 'plan 10')
        .replace('line 11', 'plan 11'),
    })
    expect(whereabouts(await unapply(bench, plan))).toBe('execute/awaiting_input phase select_tool')
  })

  it('takes back the part that was applied, once the rest is settled', async () => {
    const { bench, plan } = await atApply()
    const early = await bench.backend.refusal('_cleveragents/plan/unapply', { plan_id: plan.plan_id })
    expect(early.message).toBe(`Plan ${plan.name} applied nothing; there is nothing to take back.`)
    const part = await bench.backend.call('_cleveragents/plan/apply', {
      plan_id: plan.plan_id,
      only: ['made'],
      wait: true,
    })
    const open = await bench.backend.refusal('_cleveragents/plan/unapply', { plan_id: plan.plan_id })
    expect(open.message).toContain('Apply or reject the rest, or cancel the plan')
    await bench.reject(part)
    const back = await bench.approve(await unapply(bench, plan))
    expect(whereabouts(back)).toBe('apply/applied')
    await expect(bench.read('made/b.txt')).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await bench.read('gone.txt')).toBe('old\n')
  })

  it('says so when the recorded states are gone', async () => {
    const { bench, plan } = await applied()
    const folder = join(bench.backend.dataDir, 'plans', plan.plan_id)
    await rm(folder, { recursive: true })
    const gone = await bench.backend.refusal('_cleveragents/plan/unapply', { plan_id: plan.plan_id })
    expect(gone.message).toContain('recorded states')
    await expect(stat(folder)).rejects.toThrow()
  })

  it('leaves what is left of the recorded states where a part of them is gone', async () => {
    const { bench, plan } = await applied()
    const folder = join(bench.backend.dataDir, 'plans', plan.plan_id)
    await rm(join(folder, 'git', 'refs', 'plans', 'checkpoints'), { recursive: true })
    await rm(join(folder, 'git', 'objects'), { recursive: true })
    await bench.backend.refusal('_cleveragents/plan/unapply', { plan_id: plan.plan_id })
    await expect(stat(join(folder, 'sandbox.json'))).resolves.toBeDefined()
  })

  it('is not for use by hand', async () => {
    const bench = await startBench()
    const refused = await bench.backend.refusal('_cleveragents/plan/use', {
      action_name: 'builtin/unapply',
      folder: bench.repository.root,
      args: {},
    })
    expect(refused.message).toContain('agents plan unapply PLAN')
  })
})

async function atApply(): Promise<{ bench: Bench; plan: PlanView }> {
  const bench = await startBench({ 'a.txt': lines, 'gone.txt': 'old\n', 'same.txt': 'one\n' })
  await bench.action('local/write', WRITE)
  const plan = await bench.start('local/write', 'auto')
  expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
  return { bench, plan }
}

async function applied(): Promise<{ bench: Bench; plan: PlanView }> {
  const { bench, plan } = await atApply()
  await bench.repository.write({ 'same.txt': 'both\n' })
  // The setting is about the working folder; what was recorded stays.
  const setting = { key: 'sandbox.cleanup', value: 'on_terminal' }
  await bench.backend.call('_cleveragents/config/set', setting)
  const done = await bench.approve(plan)
  expect(whereabouts(done)).toBe('apply/applied')
  await expect(stat(join(bench.backend.dataDir, 'plans', plan.plan_id, 'root'))).rejects.toThrow()
  return { bench, plan: done }
}

function unapply(bench: Bench, { plan_id }: PlanView, more: { note?: string } = {}): Promise<PlanView> {
  return bench.backend.call('_cleveragents/plan/unapply', { plan_id, wait: true, ...more })
}

async function status(bench: Bench, { plan_id }: PlanView): Promise<PlanView['taken_back_by']> {
  return (await bench.backend.call('_cleveragents/plan/status', { plan_id })).taken_back_by
}
