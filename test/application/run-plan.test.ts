import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { aStep } from '../support/records.ts'
import { makeRepository } from '../support/repository.ts'

describe('a plan under the demo profile', () => {
  it('asks before Execute and before Apply, records every choice, and then changes exactly what it showed', async () => {
    const backend = await startBackend()
    const demo = await demoPlan(backend)
    expect(position(demo.plan)).toBe('strategize/awaiting_input')
    expect(demo.plan.gates.map(gate => [gate.kind, gate.flag])).toEqual([['phase', 'create_tool']])
    const before = await snapshotFolder(demo.folder)

    const executed = await backend.call('_cleveragents/plan/approve', {
      plan_id: demo.plan.plan_id,
      wait: true,
    })
    expect(position(executed)).toBe('execute/awaiting_input')
    expect(executed.gates.map(gate => [gate.kind, gate.flag])).toEqual([['phase', 'select_tool']])
    expect(await snapshotFolder(demo.folder)).toEqual(before)

    const diff = await backend.call('_cleveragents/plan/diff', { plan_id: demo.plan.plan_id })
    expect(diff.files.map(file => file.path)).toEqual([
      'README.md',
      'src/legacy/session.js',
      'src/middleware/session.js',
      'src/routes/account.js',
      'src/routes/cart.js',
      'src/routes/invoices.js',
      'src/routes/orders.js',
      'src/server.js',
      'test/routes.test.js',
    ])
    await expectItsTree(backend, demo.plan)
    const applied = await backend.call('_cleveragents/plan/approve', {
      plan_id: demo.plan.plan_id,
      wait: true,
    })
    expect([position(applied), applied.task_state]).toEqual(['apply/applied', 'completed'])
    expect(await readFile(join(demo.folder, 'src/server.js'), 'utf8')).toContain(
      'requireSession(path, route)(request)',
    )
  })
})

/** Every choice with its alternatives under one root, and the work under each alone. */
async function expectItsTree(backend: TestBackend, { plan_id }: PlanView): Promise<void> {
  const tree = await backend.call('_cleveragents/plan/tree', { plan_id })
  const numbers = new Map(tree.decisions.map(each => [each.decision_id, each.number]))
  const own = tree.decisions.filter(each => each.plan_id === plan_id)
  const rows = own.map(each => [
    each.number,
    each.parent_decision_id ? numbers.get(each.parent_decision_id) : null,
    each.type,
    each.key,
    each.changes?.files ?? null,
  ])
  expect(rows).toEqual([
    [1, null, 'prompt_definition', null, null],
    [2, 1, 'invariant_enforced', null, null],
    [3, 1, 'invariant_enforced', null, null],
    [4, 1, 'strategy_choice', 'where', null],
    [5, 1, 'strategy_choice', 'legacy', null],
    [6, 4, 'implementation_choice', 'extract', 2],
    [7, 4, 'implementation_choice', 'routes', 4],
    // With what the fix of the check did, which was asked for where the actor stood.
    [8, 5, 'implementation_choice', 'remove', 2],
    [9, 8, 'validation_response', null, null],
    [10, 4, 'subplan_parallel_spawn', 'writing', 2],
  ])
  expect(tree.decisions[3]?.alternatives.map(option => option.id)).toEqual(['guard', 'wrapper'])
  expect(tree.edges.map(edge => [numbers.get(edge.upstream_decision_id), edge.origin])).toContainEqual([
    4,
    'declared',
  ])
  const removal = await backend.call('_cleveragents/plan/diff', { plan_id, decision_id: '#8' })
  expect(removal.files.map(file => [file.path, file.status])).toEqual([
    ['src/legacy/session.js', 'deleted'],
    ['src/middleware/session.js', 'modified'],
  ])
}

describe('replace-text on a repository of 300 files', () => {
  it('changes exactly the right files by itself under ci and keeps what the user is editing', async () => {
    const backend = await startBackend()
    const repository = await bigRepository()
    await repository.write({
      'src/file-7.txt': `${text(7)}\nmine, uncommitted\n`,
      'notes.txt': 'untracked oldName\n',
    })
    const statusBefore = await repository.git('status', '--porcelain')
    const applied = await backend.use({
      action_name: 'replace-text',
      folder: repository.root,
      args: { find: 'oldName', replace: 'newName', glob: 'src/**' },
      automation_profile: 'ci',
    })
    expect([position(applied), applied.profile]).toEqual(['apply/applied', { name: 'ci', source: 'plan' }])
    const files = await snapshotFolder(repository.root)
    expect(await readFile(join(repository.root, 'src/file-7.txt'), 'utf8')).toBe(
      'newName 7\nsecond line\n\nmine, uncommitted\n',
    )
    expect(await readFile(join(repository.root, 'notes.txt'), 'utf8')).toBe('untracked oldName\n')
    expect(Object.keys(files).length).toBeGreaterThan(300)
    expect(await repository.git('diff', '--cached', '--name-only')).toBe('')
    const changed = (await repository.git('diff', '--name-only')).trim().split('\n')
    expect(changed).toHaveLength(100)
    expect(statusBefore).toContain('src/file-7.txt')
  })

  it('waits for each approval under supervised until it is applied', async () => {
    const backend = await startBackend()
    const repository = await bigRepository(30)
    let plan = await backend.use({
      action_name: 'builtin/replace-text',
      folder: repository.root,
      args: { find: 'oldName', replace: 'newName' },
      automation_profile: 'supervised',
    })
    const asked: string[] = []
    for (let answers = 0; plan.state === 'awaiting_input' && answers < 10; answers++) {
      asked.push(plan.gates[0]?.flag ?? plan.gates[0]?.kind ?? '')
      plan = await backend.call('_cleveragents/plan/approve', { plan_id: plan.plan_id, wait: true })
    }
    expect(position(plan)).toBe('apply/applied')
    expect(asked[0]).toBe('create_tool')
    expect(asked.at(-1)).toBe('select_tool')
    expect(asked.slice(1, -1).every(flag => flag === 'execute_command')).toBe(true)
  })

  it('ends as applied with nothing to apply when nothing is found', async () => {
    const backend = await startBackend()
    const repository = await makeRepository()
    const plan = await backend.use({
      action_name: 'replace-text',
      folder: repository.root,
      args: { find: 'not to be found', replace: 'x' },
      automation_profile: 'ci',
    })
    expect([position(plan), plan.reason]).toEqual(['apply/applied', 'nothing to apply'])
  })
})

describe('the user meanwhile', () => {
  it('is merged around when the changes do not meet, and asked when they do', async () => {
    const backend = await startBackend()
    const repository = await makeRepository({
      files: { 'a.txt': 'one oldName\ntwo\nthree\nfour\nfive\n', 'b.txt': 'oldName\n' },
    })
    const plan = await backend.use({
      action_name: 'replace-text',
      folder: repository.root,
      args: { find: 'oldName', replace: 'newName' },
      automation_profile: 'auto',
    })
    expect(position(plan)).toBe('execute/awaiting_input')
    await repository.write({ 'a.txt': 'one oldName\ntwo\nthree\nfour\nfive, mine\n', 'b.txt': 'myName\n' })
    const constrained = await backend.call('_cleveragents/plan/approve', {
      plan_id: plan.plan_id,
      wait: true,
    })
    expect(position(constrained)).toBe('apply/constrained')
    expect(constrained.gates[0]?.kind).toBe('constrained')
    expect(await readFile(join(repository.root, 'a.txt'), 'utf8')).toBe(
      'one oldName\ntwo\nthree\nfour\nfive, mine\n',
    )

    await repository.write({ 'b.txt': 'oldName\n' })
    const applied = await backend.call('_cleveragents/plan/approve', {
      plan_id: plan.plan_id,
      option_id: 'retry',
      wait: true,
    })
    expect(position(applied)).toBe('apply/applied')
    expect(await readFile(join(repository.root, 'a.txt'), 'utf8')).toBe(
      'one newName\ntwo\nthree\nfour\nfive, mine\n',
    )
  })

  it('can have the plan made anew on the present files after a conflict', async () => {
    const backend = await startBackend()
    const repository = await makeRepository({ files: { 'b.txt': 'oldName\n' } })
    const plan = await backend.use({
      action_name: 'replace-text',
      folder: repository.root,
      args: { find: 'oldName', replace: 'newName' },
      automation_profile: 'auto',
    })
    await repository.write({ 'b.txt': 'my oldName too\n' })
    const constrained = await backend.call('_cleveragents/plan/approve', {
      plan_id: plan.plan_id,
      wait: true,
    })
    expect(position(constrained)).toBe('apply/constrained')
    const again = await backend.call('_cleveragents/plan/approve', {
      plan_id: plan.plan_id,
      option_id: 'redo',
      wait: true,
    })
    expect([position(again), again.attempt]).toEqual(['execute/awaiting_input', 2])
    const applied = await backend.call('_cleveragents/plan/approve', { plan_id: plan.plan_id, wait: true })
    expect(position(applied)).toBe('apply/applied')
    expect(await readFile(join(repository.root, 'b.txt'), 'utf8')).toBe('my newName too\n')
  })
})

describe('a plan that is being applied', () => {
  it('is not cancelled while its owner writes or restores, and can be once nobody does', async () => {
    const backend = await startBackend()
    const { plan } = await demoPlan(backend)
    const { store, host, clock } = backend.ports
    const stored = store.plans.findByName(plan.name)
    if (!stored) throw new Error('the plan is not in the store')
    const planId = stored.planId
    store.plans.update({ ...stored, position: 'apply/running' })
    store.leases.put({ planId, holder: host.process, takenAt: clock.now(), heartbeatAt: clock.now() })
    const refused = await backend.refusal('_cleveragents/plan/cancel', { plan_id: planId })
    expect(refused.errorType).toBe('invalid_state')
    expect(refused.message).toContain('is being applied')

    store.plans.update({ ...stored, position: 'execute/running' })
    store.steps.insert(aStep({ planId, kind: 'restore', status: 'started', startedAt: clock.now() }))
    const restoring = await backend.refusal('_cleveragents/plan/cancel', { plan_id: planId })
    expect(restoring.message).toContain('is being corrected or rolled back')
    store.plans.update({ ...stored, position: 'apply/running' })

    store.leases.remove(planId, host.process)
    const cancelled = await backend.call('_cleveragents/plan/cancel', { plan_id: planId })
    expect(position(cancelled)).toBe('apply/cancelled')
  })
})

describe('a folder that cannot be worked on', () => {
  it('is refused when it holds the data of this program, with what to do', async () => {
    const backend = await startBackend()
    const refused = await backend.refusal('_cleveragents/plan/use', {
      action_name: 'replace-text',
      folder: backend.dataDir,
      args: { find: 'a', replace: 'b' },
    })
    expect(refused.errorType).toBe('preflight_failed')
    expect(refused.message).toContain('--data-dir')
  })

  it('works in a repository without commits', async () => {
    const backend = await startBackend()
    const repository = await makeRepository({ commit: 'none', files: { 'a.txt': 'oldName\n' } })
    const plan = await backend.use({
      action_name: 'replace-text',
      folder: repository.root,
      args: { find: 'oldName', replace: 'newName' },
      automation_profile: 'ci',
    })
    expect(position(plan)).toBe('apply/applied')
    expect(await readFile(join(repository.root, 'a.txt'), 'utf8')).toBe('newName\n')
  })
})

async function demoPlan(backend: TestBackend) {
  const demo = await backend.call('_cleveragents/demo/create', {})
  onTestFinished(() => rm(join(demo.folder, '..'), { recursive: true, force: true }))
  const plan = await backend.use({ action_name: demo.action_name, folder: demo.folder })
  return { folder: demo.folder, plan }
}

function position(plan: { phase: string; state: string }): string {
  return `${plan.phase}/${plan.state}`
}

function text(index: number): string {
  return `oldName ${index}\nsecond line\n`
}

function bigRepository(count = 300) {
  const files = Array.from({ length: count }, (_, index) => {
    const hasName = index % 3 === 1
    return [`src/file-${index}.txt`, hasName ? text(index) : `nothing here ${index}\n`] as const
  })
  return makeRepository({ files: Object.fromEntries(files) })
}

describe('the sandbox of an applied plan', () => {
  it('is removed, and what the plan changed can still be read', async () => {
    const backend = await startBackend()
    const repository = await makeRepository({ files: { 'a.txt': 'oldName\n' } })
    const plan = await backend.use({
      action_name: 'replace-text',
      folder: repository.root,
      args: { find: 'oldName', replace: 'newName' },
      automation_profile: 'ci',
    })
    expect(existsSync(join(backend.dataDir, 'plans', plan.plan_id, 'root'))).toBe(false)
    const diff = await backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    expect(diff.files.map(file => file.path)).toEqual(['a.txt'])
  })
})
