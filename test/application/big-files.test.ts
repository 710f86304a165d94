import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Bench, startBench, whereabouts } from '../support/purpose-made.ts'
import { sandboxRoot } from '../support/work-action.ts'

const append = '- tool: {name: builtin/run_command, with: {command: "echo more >> model.bin"}}'
const write = '- tool: {name: builtin/write_file, with: {path: a.txt, content: "two"}}'

it('a plan that wrote to nothing but a file too big to be recorded asks, and keeps it until it is home', async () => {
  const bench = await withBigFile(`recipe:\n  execute:\n    ${append}\n`)
  const plan = await atApply(bench)
  const sandbox = sandboxRoot(bench.backend.dataDir, plan.plan_id, bench.repository.root)

  const again = await bench.approve(plan)
  await copyFile(join(sandbox, 'model.bin'), join(bench.repository.root, 'model.bin'))
  const done = await bench.approve(again)

  expect([whereabouts(plan), whereabouts(again)]).toEqual(Array(2).fill('execute/awaiting_input error -'))
  expect(plan.gates[0]?.question).toContain(`The plan wrote to model.bin, too big to be recorded`)
  expect(plan.gates[0]?.question).toContain(`Copy it from ${sandbox} into ${bench.repository.root}`)
  expect(whereabouts(done)).toBe('apply/applied')
  expect(existsSync(sandbox)).toBe(false)
})

it('the sandbox outlives a plan of which all but such a file was applied, and the plan says where it is', async () => {
  const bench = await withBigFile(`recipe:\n  execute:\n    ${write}\n    ${append}\n`)
  const plan = await atApply(bench)
  const sandbox = sandboxRoot(bench.backend.dataDir, plan.plan_id, bench.repository.root)

  const stopped = await bench.approve(plan)
  const done = await bench.approve(stopped, { option_id: 'rest' })

  expect(whereabouts(stopped)).toMatch(/ constrained /)
  expect(whereabouts(done)).toBe('apply/applied')
  expect(done.notices).toContain(
    `Too big to be recorded and not applied: model.bin. The sandbox is kept for it; copy it from ${sandbox}.`,
  )
  expect(existsSync(join(sandbox, 'model.bin'))).toBe(true)
})

it('a plan is not planned anew over such a file before its work is home or given up', async () => {
  const bench = await withBigFile(`recipe:\n  execute:\n    ${write}\n    ${append}\n`)
  const plan = await atApply(bench)
  const sandbox = sandboxRoot(bench.backend.dataDir, plan.plan_id, bench.repository.root)
  const stopped = await bench.approve(plan)

  const kept = await bench.approve(stopped, { option_id: 'redo' })
  const isThere = existsSync(join(sandbox, 'model.bin'))
  await copyFile(join(sandbox, 'model.bin'), join(bench.repository.root, 'model.bin'))
  const again = await bench.backend.call('_cleveragents/plan/resume', { plan_id: plan.plan_id, wait: true })

  expect(whereabouts(kept)).toBe('strategize/errored')
  expect(kept.reason).toContain('would lose what it wrote to model.bin')
  expect(kept.reason).toContain(`Copy it from ${sandbox} into ${bench.repository.root}`)
  expect(isThere).toBe(true)
  expect(whereabouts(again)).toMatch(/^execute\/awaiting_input /)
})

async function withBigFile(recipe: string): Promise<Bench> {
  const bench = await startBench({ 'a.txt': 'one\n', 'model.bin': Buffer.alloc(10_000_001) })
  await bench.backend.call('_cleveragents/config/set', { key: 'sandbox.big-file-mb', value: '10' })
  await bench.backend.call('_cleveragents/config/set', { key: 'sandbox.cleanup', value: 'on_terminal' })
  await bench.action('local/big', recipe)
  return bench
}

async function atApply(bench: Bench) {
  let plan = await bench.start('local/big', 'auto')
  while (plan.gates[0]?.flag === 'execute_command') plan = await bench.approve(plan)
  return plan
}
