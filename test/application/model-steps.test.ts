import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { answersIn } from '../../src/application/decision/explain-answers.ts'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { startBackend } from '../support/backend.ts'
import { startModelServer } from '../support/model-server.ts'
import { type Bench, startBench, whereabouts } from '../support/purpose-made.ts'
import {
  fails,
  hangsAfter,
  PRICE,
  type Script,
  says,
  scripted,
  TALK,
  writes,
} from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function benchFor(script: Script, options: Parameters<typeof startBench>[1] = {}) {
  const { ports, calls } = scripted(script)
  const bench = await startBench(undefined, { ...options, ports })
  await bench.backend.call('_cleveragents/action/create', { text: TALK, file: 'talk.yaml' })
  return { bench, calls }
}

function charges({ backend }: Bench, { plan_id }: PlanView) {
  const { store } = backend.ports
  return store.steps
    .listByPlan(asId<PlanId>(plan_id))
    .flatMap(step => store.ledger.ofStep(step.idempotencyKey))
    .map(({ state, usd, tokens, basis }) => [state, usd, tokens, basis])
}

describe('an answer of a model', () => {
  it('is paid once by what the provider counted, and is in the tree with what was asked', async () => {
    const { bench } = await benchFor({
      answers: [says('plan it'), writes('new.txt'), says('done')],
      price: PRICE,
    })
    const plan = await bench.start('local/talk', 'auto')
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    // 1,000 tokens in for 1, 100 out for 10 dollars a million, three times.
    expect([plan.cost, plan.budget.assumed]).toEqual([{ usd: 0.006, tokens: 3_300 }, 0])
    expect(charges(bench, plan)).toEqual(Array(3).fill(['settled', 0.002, 1_100, 'known']))
    const { steps } = await bench.backend.call('_cleveragents/plan/steps', { plan_id: plan.plan_id })
    expect(steps.map(({ kind, summary }) => `${kind}: ${summary}`)).toEqual([
      'model: plan it',
      'model: asks for builtin/write_file',
      expect.stringContaining('tool: '),
      'model: done',
    ])
    const { ports } = bench.backend
    const answers = answersIn(ports, ports.store.steps.listByPlan(asId<PlanId>(plan.plan_id)))
    expect(answers.map(({ model, tokens, usd, beginning }) => [model, tokens, usd, beginning])).toEqual([
      ['test/model', 1_100, 0.002, 'plan it'],
      ['test/model', 1_100, 0.002, 'calls builtin/write_file {"path":"new.txt","content":"new.txt"}'],
      ['test/model', 1_100, 0.002, 'done'],
    ])
  })

  it('of an unknown price is shown as unknown, and counts for budgets by the assumed one', async () => {
    const { bench } = await benchFor({ answers: [says('plan it'), says('done')] })
    const plan = await bench.start('local/talk', 'auto')
    expect([plan.cost, plan.budget.spent, plan.budget.assumed]).toEqual([
      { usd: null, tokens: 2_200 },
      0.022,
      0.022,
    ])
  })

  it('that does not fit into what is left of tokens is not asked for, until a person raises the limit', async () => {
    const { bench, calls } = await benchFor({ answers: [says('plan it'), says('done')], price: PRICE })
    const stopped = await bench.backend.use({
      action_name: 'local/talk',
      automation_profile: 'auto',
      folder: bench.repository.root,
      max_tokens: 1_150,
    })
    expect([whereabouts(stopped), calls.length]).toEqual(['execute/awaiting_input budget -', 1])
    expect(stopped.limits.exceeded).toMatchObject({ limit: 'tokens', level: 'plan' })
    expect(stopped.limits.tokens).toEqual({ used: 1_100, reserved: 0, max: 1_150, source: 'plan' })
    const done = await bench.approve(stopped, { option_id: 'raise' })
    expect([done.limits.tokens.max, done.limits.tokens.used]).toEqual([2_300, 2_200])
  })

  it('that was cut by a pause keeps what had arrived beside the branch, and is asked again without a question', async () => {
    let begun = () => {}
    const hangs = new Promise<void>(resolve => {
      begun = resolve
    })
    const { bench, calls } = await benchFor({
      answers: [hangsAfter('I was about to', () => begun()), says('plan it'), says('done')],
      price: PRICE,
    })
    const { store } = bench.backend.ports
    const making = bench.start('local/talk', 'auto')
    await hangs
    const [row] = store.plans.list({ limit: 1 })
    if (!row) throw new Error('there is no plan')
    const paused = await bench.backend.call('_cleveragents/plan/pause', { plan_id: row.planId })
    await making
    const [cut] = store.steps.listByPlan(row.planId)
    expect([paused.state, cut?.status]).toEqual(['paused', 'interrupted'])
    if (cut?.outcome?.kind !== 'model_replied') throw new Error('the row names no message')
    expect(store.messages.path(cut.outcome.head).at(-1)).toEqual({
      role: 'assistant',
      parts: [{ kind: 'text', text: 'I was about to', opaque: null }],
      isCut: true,
    })
    expect(cut.summary).toContain(cut.outcome.head.slice(0, 12))
    const done = await bench.backend.call('_cleveragents/plan/resume', { plan_id: row.planId, wait: true })
    expect(whereabouts(done)).toBe('apply/applied')
    // The second time it heard exactly what it had heard the first time.
    expect(calls[1]?.messages).toEqual(calls[0]?.messages)
    expect(charges(bench, done).map(([state, , , basis]) => [state, basis])).toEqual([
      ['settled', 'assumed'],
      ['settled', 'known'],
      ['settled', 'known'],
    ])
  })
})

describe('an answer that fails', () => {
  it('for a moment is tried again where the profile lets it, after as long as the server wishes, and paid for once', async () => {
    const waits: number[] = []
    const busy = fails('transient', 'The server is busy.', { retry_after_ms: 7_000 })
    const { ports } = scripted({ answers: [busy, says('plan it'), says('done')], price: PRICE })
    const bench = await startBench(undefined, {
      ports: around => ({
        ...ports(around),
        random: () => 0.5,
        clock: { ...around.clock, wait: async ms => void waits.push(ms) },
      }),
    })
    await bench.backend.call('_cleveragents/action/create', { text: TALK, file: 'talk.yaml' })
    const plan = await bench.start('local/talk', 'full-auto')
    expect([plan.state, plan.cost.usd, waits]).toEqual(['applied', 0.004, [7_000]])
    expect(charges(bench, plan)[0]).toEqual(['released', 0, 0, 'known'])
  })

  it.each([
    [
      'for a moment asks whether to try again where the profile does not let it',
      'transient',
      {},
      'manual',
      'retry',
    ],
    [
      'whose server wants to be left alone for an hour asks too',
      'transient',
      { retry_after_ms: 3_600_000 },
      'full-auto',
      'error',
    ],
    ['for good is put to a person in the words of its failure', 'unauthenticated', {}, 'full-auto', 'error'],
  ] as const)('%s', async (_title, code, facts, profile, kind) => {
    const { bench, calls } = await benchFor({
      answers: [fails(code, 'OPENAI_API_KEY is not taken.', facts), says('plan it')],
    })
    const first = await bench.start('local/talk', profile)
    const asked = first.gates[0]?.kind === 'phase' ? await bench.approve(first) : first
    expect([asked.gates[0]?.kind, calls.length]).toEqual([kind, 1])
    expect(asked.gates[0]?.question).toContain(
      'the answer of test/model (model[1]) failed: OPENAI_API_KEY is not taken.',
    )
    await bench.approve(asked)
    expect(calls.length).toBeGreaterThan(1)
  })

  it('of too long a history goes to the actor, who can say less', async () => {
    const tooLong = fails('invalid_input', 'Too long.', { reason: 'context_length' })
    const { bench } = await benchFor({ answers: [tooLong, says('done')] })
    const plan = await bench.start('local/talk', 'full-auto')
    expect(whereabouts(plan)).toBe('apply/applied')
  })
})

describe('what an actor says it changed', () => {
  it('is held against what did change: it hears so twice, then a person decides', async () => {
    const { bench, calls } = await benchFor({
      answers: [says('plan it'), writes('new.txt'), says('done')],
      claims: ['./new.txt', 'a.txt'],
    })
    const asked = await bench.start('local/talk', 'auto')
    const refusal = 'It is said to be changed and is as it was: a.txt. What has changed: new.txt.'
    expect([whereabouts(asked), asked.gates[0]?.question]).toEqual([
      'execute/awaiting_input error -',
      `What its actor says it did is not so. ${refusal}`,
    ])
    // Each time it was refused it asked its model again.
    expect(calls.length).toBe(5)
    const done = await bench.approve(asked, { option_id: 'accept' })
    expect(whereabouts(done)).toBe('execute/awaiting_input phase select_tool')
  })

  it('and did change is not asked about', async () => {
    const { bench } = await benchFor({
      answers: [says('plan it'), writes('folder/new.txt'), says('done')],
      claims: ['folder'],
    })
    expect(whereabouts(await bench.start('local/talk', 'full-auto'))).toBe('apply/applied')
  })
})

describe('a process that dies while a model answers', () => {
  it('leaves an answer that is charged once as what was reserved, and is asked for again without a question', async () => {
    const begun = Promise.withResolvers<void>()
    const hanging = scripted({ answers: [hangsAfter('I was about to', begun.resolve)], price: PRICE })
    const bench = await startBench(undefined, { ports: hanging.ports })
    await bench.backend.call('_cleveragents/action/create', { text: TALK, file: 'talk.yaml' })
    const { store } = bench.backend.ports
    const { plan_id } = await bench.backend.call('_cleveragents/plan/use', {
      action_name: 'local/talk',
      automation_profile: 'full-auto',
      folder: bench.repository.root,
    })
    await begun.promise
    const planId = asId<PlanId>(plan_id)
    const at = new Date().toISOString()
    const holder = { pid: 1 << 22, startedAt: 'long ago' }
    store.leases.put({ planId, holder, takenAt: at, heartbeatAt: at })

    const after = scripted({ answers: [says('plan it'), says('done')], price: PRICE })
    const { dataDir } = bench.backend
    const next = await startBackend({ dataDir, recover: 'serve', ports: after.ports })
    const done = await next.call('_cleveragents/plan/status', { plan_id, wait: true })
    expect(whereabouts(done)).toBe('apply/applied')
    expect(after.calls[0]?.messages).toEqual(hanging.calls[0]?.messages)
    const [cut, ...others] = charges(bench, done)
    // The longest answer that was allowed, and what was sent by an estimate.
    expect(cut).toEqual(['settled', expect.closeTo(0.001, 3), expect.any(Number), 'known'])
    expect(others).toEqual(Array(2).fill(['settled', 0.002, 1_100, 'known']))
  })
})

describe('the true provider package, before a server that has its troubles', () => {
  async function benchBefore(scenario: Parameters<typeof startModelServer>[0], key: string) {
    const server = await startModelServer(scenario)
    const dataDir = await temporaryFolder()
    const keyFile = join(dataDir, 'key')
    await writeFile(keyFile, key, { mode: 0o600 })
    const provider = `base-url: ${server.urls.openai}, key-file: ${keyFile}`
    const price = 'price: { input: 1, output: 10, as-of: 2026-12-01 }'
    const models = `models: { model: { ${price} } }`
    await writeFile(join(dataDir, 'config.yaml'), `providers:\n  test: { ${provider}, ${models} }\n`)
    const { ports } = scripted({ answers: [] })
    const bench = await startBench(undefined, {
      dataDir,
      ports: around => ({ ...ports(around), clock: { ...around.clock, wait: async () => {} } }),
    })
    await bench.backend.call('_cleveragents/action/create', { text: TALK, file: 'talk.yaml' })
    return bench
  }

  it('is asked until it answers; each try is paid for by what came of it, and a stream that was cut is kept', async () => {
    const usage = { input: 1_000, output: 100 }
    const bench = await benchBefore(
      {
        models: ['model'],
        replies: [
          { fault: { status: 429, retry_after: 1 } },
          { text: 'I was about to say something long.', fault: { slow_ms: 5, cut_after: 6 } },
          { text: 'plan it', usage },
          { text: 'done', usage },
        ],
      },
      'any',
    )
    const plan = await bench.start('local/talk', 'full-auto')
    expect(whereabouts(plan)).toBe('apply/applied')
    expect(charges(bench, plan).map(([state, usd, , basis]) => [state, usd, basis])).toEqual([
      ['released', 0, 'known'],
      ['settled', expect.any(Number), 'assumed'],
      ['settled', 0.002, 'known'],
      ['settled', 0.002, 'known'],
    ])
    const { plan_id } = plan
    const { messages } = await bench.backend.call('_cleveragents/plan/message/list', { plan_id })
    expect(messages.map(({ role, is_cut, is_present }) => [role, is_cut, is_present])).toEqual([
      ['user', false, true],
      ['assistant', true, false],
      ['assistant', false, true],
      ['user', false, true],
      ['assistant', false, true],
    ])
  })

  it('says of a wrong key where it came from, at a gate', async () => {
    const bench = await benchBefore({ models: ['model'], key: 'right', replies: [] }, 'wrong-key-0815')
    const plan = await bench.start('local/talk', 'full-auto')
    expect(whereabouts(plan)).toBe('strategize/awaiting_input error -')
    expect(plan.gates[0]?.question).toContain('the answer of test/model (model[1]) failed: ')
    expect(plan.gates[0]?.question).toContain(join(bench.backend.dataDir, 'key'))
    expect(JSON.stringify(plan)).not.toContain('0815')
  })

  it('is not asked, and no plan starts, where its key is missing', async () => {
    const bench = await startBench(undefined, { ports: scripted({ answers: [] }).ports })
    const text = TALK.replaceAll('test/model', 'openai/x')
    await bench.backend.call('_cleveragents/action/create', { text, file: 'talk.yaml' })
    const wanted = { action_name: 'local/talk', folder: bench.repository.root }
    const refused = await bench.backend.refusal('_cleveragents/plan/use', wanted)
    expect(refused).toMatchObject({ errorType: 'preflight_failed' })
    expect(refused.message).toContain('PRE-02 actors: OPENAI_API_KEY is not set.')
  })
})
