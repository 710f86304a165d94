/** A process is killed while it writes into the user's files; the next one that has to do with the plan asks. */
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import type { GateStatus } from '../../src/domain/gate/gate.ts'
import type { PlanId } from '../../src/domain/ids.ts'
import { builtInProfiles } from '../../src/domain/profile/built-in.ts'
import { startApply } from '../support/apply-process.ts'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { type Bench, startBench, whereabouts } from '../support/purpose-made.ts'
import { aStep } from '../support/records.ts'
import { userEnvironment } from '../support/repository.ts'

const FILES = ['a.txt', 'b.txt', 'c.txt']
const WRITE = `
recipe:
  execute:
    - decide: {id: how, type: implementation_choice, question: How?, choose: x, options: [{id: x, label: X}]}
${FILES.map(path => `    - tool: {name: builtin/write_file, with: {path: ${path}, content: "new\\n"}}`).join('\n')}
`

describe('an Apply that was cut short', () => {
  it('is asked about by the next command, with what is written and what waits, and can be finished', async () => {
    const { bench, plan, written } = await cutShort()
    const next = await startBackend({ dataDir: bench.backend.dataDir })
    const asked = await next.call('_cleveragents/plan/status', { plan_id: plan.plan_id })
    const waiting = FILES.filter(path => !written.includes(path))
    expect(whereabouts(asked)).toBe('apply/awaiting_input resume -')
    expect(asked.gates[0]).toMatchObject({
      question: `Apply was interrupted: ${written.length} of 3 files were written. Finish it, or undo it?`,
      subject: { kind: 'unfinished_apply', folder: bench.repository.root, written, waiting },
      options: [{ id: 'finish' }, { id: 'undo' }],
    })
    const diff = await next.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    expect(diff.files.map(file => file.path)).toEqual(FILES)
    expect(await files(bench)).toEqual(FILES.map(path => (written.includes(path) ? 'new\n' : 'old\n')))

    const done = await approve(next, plan, 'finish')
    expect([whereabouts(done), done.applied]).toEqual(['apply/applied', 'all'])
    expect(await files(bench)).toEqual(['new\n', 'new\n', 'new\n'])
  })

  it('can be undone, around what was changed since; then the question before Apply is open again', async () => {
    const { bench, plan, written } = await cutShort()
    const [kept = ''] = written
    await bench.repository.write({ [kept]: 'mine since\n' })
    const next = await startBackend({ dataDir: bench.backend.dataDir })
    const undone = await approve(next, plan, 'undo')
    expect(whereabouts(undone)).toBe('execute/awaiting_input phase select_tool')
    expect(undone.reason).toContain(
      `the interrupted Apply was undone; changed since, and left as they are: ${kept}`,
    )
    expect(undone.applied).toBe('nothing')
    expect(await files(bench)).toEqual(FILES.map(path => (path === kept ? 'mine since\n' : 'old\n')))
    await bench.repository.write({ [kept]: 'old\n' })
    const applied = await next.call('_cleveragents/plan/apply', { plan_id: plan.plan_id, wait: true })
    expect([whereabouts(applied), await files(bench)]).toEqual(['apply/applied', ['new\n', 'new\n', 'new\n']])
  })

  it('is not cancelled, rolled back or corrected before that, and says what to do; putting it off asks again', async () => {
    const { bench, plan } = await cutShort()
    const next = await startBackend({ dataDir: bench.backend.dataDir })
    const { plan_id } = plan
    const words = `interrupted while it wrote into your files. First finish or undo it: agents plan approve ${plan_id.slice(-6)} --option finish`
    const cancelled = await next.refusal('_cleveragents/plan/cancel', { plan_id })
    expect([cancelled.errorType, cancelled.message]).toEqual([
      'invalid_state',
      expect.stringContaining(words),
    ])
    const rolled = await next.refusal('_cleveragents/plan/rollback', { plan_id })
    expect(rolled.message).toContain(words)
    const decision_id = await decisionOf(next, plan)
    const correction = { decision_id, mode: 'revert', guidance: 'x' } as const
    expect((await next.refusal('_cleveragents/plan/correct', correction)).message).toContain(words)

    await next.call('_cleveragents/plan/reject', { plan_id, wait: true })
    const later = await next.refusal('_cleveragents/plan/cancel', { plan_id })
    expect(later.message).toContain(`agents plan resume ${plan_id.slice(-6)}`)
    const again = await next.call('_cleveragents/plan/resume', { plan_id, wait: true })
    expect(whereabouts(again)).toBe('apply/awaiting_input resume -')
  })

  it('is finished by itself by who serves, where the profile applies by itself', async () => {
    const { bench, plan } = await cutShort('full-auto')
    const next = await startBackend({ dataDir: bench.backend.dataDir, recover: 'serve' })
    const done = await next.call('_cleveragents/plan/status', { plan_id: plan.plan_id, wait: true })
    expect([whereabouts(done), await files(bench)]).toEqual(['apply/applied', ['new\n', 'new\n', 'new\n']])
  })
})

/** A plan whose process was killed after its first file was swapped; the store knows only that Apply had begun. */
async function cutShort(profile: 'auto' | 'full-auto' = 'auto') {
  const bench = await startBench(Object.fromEntries(FILES.map(path => [path, 'old\n'])))
  await bench.action('local/write', WRITE)
  const plan = await bench.start('local/write', 'auto')
  const { store } = bench.backend.ports
  const cursor = store.cursors.get(plan.plan_id as PlanId)
  if (!cursor) throw new Error('the plan has done nothing')
  const job = {
    stateDir: bench.backend.dataDir,
    environment: userEnvironment(),
    planId: plan.plan_id,
    projectRoot: bench.repository.root,
    way: 'apply',
    to: cursor.sandboxState,
  } as const
  const run = startApply({ ...job, stopAfter: 7, signal: 'SIGKILL' })
  expect(await run.ended).toEqual({ ended: 'killed' })
  const now = await files(bench)
  const written = FILES.filter((_path, at) => now[at] === 'new\n')
  expect([written.length > 0, written.length < FILES.length]).toEqual([true, true])
  recordAsBegun(bench, plan, profile)
  await bench.backend.stop()
  return { bench, plan, written }
}

/** As the process that was killed had left the store: Apply approved, its step begun, its lease still there. */
function recordAsBegun({ backend }: Bench, { plan_id }: PlanView, profile: 'auto' | 'full-auto'): void {
  const { store, clock } = backend.ports
  const planId = plan_id as PlanId
  const gate = store.gates.listOpen(planId)[0]
  const stored = store.plans.find(planId)
  const wanted = builtInProfiles.find(each => each.name === profile)
  if (!gate || !stored || !wanted) throw new Error('the plan did not come to the gate before Apply')
  const at = clock.now()
  const answer = {
    decision: 'approve',
    optionId: null,
    note: null,
    guidance: null,
    part: null,
    grant: 'once',
  }
  store.gates.close(gate.gateId, { kind: 'resolved', answer, by: 'tester', at } as GateStatus & {
    kind: 'resolved'
  })
  store.plans.update({ ...stored, position: 'apply/running', profile: wanted })
  store.steps.insert(aStep({ planId, phase: 'apply', kind: 'apply', status: 'started', startedAt: at }))
  store.leases.put({ planId, holder: { pid: 1 << 22, startedAt: 'long ago' }, takenAt: at, heartbeatAt: at })
}

function files(bench: Bench): Promise<string[]> {
  return Promise.all(FILES.map(bench.read))
}

function approve(backend: TestBackend, { plan_id }: PlanView, option_id: string): Promise<PlanView> {
  return backend.call('_cleveragents/plan/approve', { plan_id, option_id, wait: true })
}

async function decisionOf(backend: TestBackend, { plan_id }: PlanView): Promise<string> {
  const tree = await backend.call('_cleveragents/plan/tree', { plan_id })
  return tree.decisions.find(each => each.key === 'how')?.decision_id ?? ''
}
