import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../src/a2a/client/client.ts'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import type { Output } from '../../src/a2a/protocol/methods.ts'

/** What a client may rely on, whatever carries the frames. `connect` gives a client of a fresh, empty backend. */
export function describeWire(connect: () => Client): void {
  test('a plan goes from its action through both gates to applied', async () => {
    const client = connect()

    const used = await use(client)
    expect(used).toMatchObject({ phase: 'strategize', state: 'awaiting_input', task_state: 'input-required' })
    const executed = await approve(client, used)
    expect(executed).toMatchObject({ phase: 'execute', state: 'awaiting_input', gates: [{ status: 'open' }] })
    const applied = await approve(client, executed)

    expect(applied).toMatchObject({ phase: 'apply', state: 'applied', task_state: 'completed', gates: [] })
  })

  test('without wait the plan comes back as soon as it is on record', async () => {
    const client = connect()

    const plan = value(await client.call('_cleveragents/plan/use', { action_name: 'builtin/replace-text' }))

    expect(plan).toMatchObject({ state: 'queued', task_state: 'submitted' })
  })

  test('a refusal carries its stable type, its facts and its number', async () => {
    const result = await connect().call('_cleveragents/plan/use', { action_name: 'builtin/replace-txt' })

    expect(result).toEqual({
      ok: false,
      failure: {
        errorType: 'not_found',
        code: -32001,
        message: expect.stringContaining('builtin/replace-text'),
        facts: { name: 'builtin/replace-txt' },
      },
    })
  })

  test('an answer takes effect once; the second is stale', async () => {
    const client = connect()
    const plan = await use(client)
    const answer = { plan_id: plan.plan_id, gate_id: gateOf(plan).gate_id }

    const both = await Promise.all([
      client.call('_cleveragents/plan/approve', answer),
      client.call('_cleveragents/plan/reject', answer),
    ])

    expect(both.map(each => each.ok)).toEqual([true, false])
    expect(both[1]).toMatchObject({ failure: { errorType: 'stale_answer', code: -32004 } })
  })

  test('an answer to what is not shown any more is stale', async () => {
    const client = connect()
    const plan = await use(client)

    const result = await client.call('_cleveragents/plan/approve', { plan_id: plan.plan_id, digest: 'old' })

    expect(result).toMatchObject({ failure: { errorType: 'stale_answer' } })
  })

  test('guidance gives a new gate, and a rejection pauses with its note', async () => {
    const client = connect()
    const first = await use(client)

    const second = value(
      await client.call('_cleveragents/plan/request-changes', {
        plan_id: first.plan_id,
        guidance: 'only src',
        wait: true,
      }),
    )
    const rejected = value(
      await client.call('_cleveragents/plan/reject', { plan_id: first.plan_id, note: 'not now', wait: true }),
    )

    expect(gateOf(second).digest).not.toBe(gateOf(first).digest)
    expect(rejected).toMatchObject({ state: 'paused', reason: 'not now' })
  })

  test('cancelling twice is harmless', async () => {
    const client = connect()
    const { plan_id } = await use(client)

    const answers = [
      value(await client.call('_cleveragents/plan/cancel', { plan_id, reason: 'enough' })),
      value(await client.call('_cleveragents/plan/cancel', { plan_id })),
    ]

    expect(answers).toMatchObject([
      { state: 'cancelled', reason: 'enough' },
      { state: 'cancelled', reason: 'enough' },
    ])
  })

  test('events come from the first to the newest, past and live, each once and in order', async () => {
    const client = connect()
    const plan = await use(client)
    const events = collect(client, 0)

    await approve(client, await approve(client, plan))

    await events.until(each => each.method === 'task/statusUpdate' && each.plan_state === 'applied')
    const seqs = events.all.map(each => each.seq)
    expect(seqs[0]).toBe(1)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
    expect(events.all.filter(each => each.method === '_cleveragents/gate/resolved')).toHaveLength(2)
  })

  test('a reader that comes back goes on behind the last number it saw', async () => {
    const client = connect()
    const whole = collect(client, 0)
    const abort = new AbortController()
    const first = collect(client, 0, { signal: abort.signal })
    const plan = await use(client)
    await first.until(each => each.method === '_cleveragents/gate/opened')
    abort.abort()
    const seen = first.all.length

    await approve(client, await approve(client, plan))
    const isEnd = (each: WireEvent) => each.method === 'task/statusUpdate' && each.plan_state === 'applied'
    const second = collect(client, first.all.at(-1)?.seq ?? 0)
    await second.until(isEnd)
    await whole.until(isEnd)

    expect(first.all).toHaveLength(seen)
    expect(await first.end).toEqual({ kind: 'cancelled' })
    expect([...first.all, ...second.all].map(each => each.event_id)).toEqual(
      whole.all.map(each => each.event_id),
    )
  })

  test('a reader of one plan hears of no other', async () => {
    const client = connect()
    const [mine, other] = [await use(client), await use(client)]
    const events = collect(client, 0, { planId: mine.plan_id })

    await approve(client, other)
    await approve(client, await approve(client, mine))

    await events.until(each => each.method === 'task/statusUpdate' && each.plan_state === 'applied')
    expect(new Set(events.all.map(each => each.plan_id))).toEqual(new Set([mine.plan_id]))
  })

  test('ten thousand lines of output arrive whole and joined', async () => {
    const client = connect()
    const plan = await use(client, { lines: 10_000 })
    const events = collect(client, 0)

    await approve(client, plan)
    await events.until(each => each.method === '_cleveragents/gate/opened' && each.gate.phase === 'execute')

    const output = events.all.flatMap(each =>
      each.method === '_cleveragents/step/output' ? [each.text] : [],
    )
    const sent = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}`)
    expect(output.join('')).toBe(sent.join(''))
    expect(output.length).toBeLessThan(1_000)
  })

  test('what is waited for no longer leaves the rest alone', async () => {
    const client = connect()
    const abort = new AbortController()
    const waiting = client.call('_cleveragents/event/subscribe', {}, { signal: abort.signal })
    const call = client.call('_cleveragents/health/check', {}, { signal: abort.signal })

    abort.abort()

    expect(await call).toMatchObject({ ok: false, failure: { errorType: 'interrupted' } })
    expect(await waiting).toMatchObject({ ok: false })
    expect(await client.call('_cleveragents/health/check', {})).toMatchObject({ ok: true })
  })

  test('closing ends what is open and refuses what comes after', async () => {
    const client = connect()
    const events = collect(client, 0)
    await events.opened

    await client.close()

    expect(['complete', 'failed']).toContain((await events.end).kind)
    expect(await client.call('_cleveragents/health/check', {})).toMatchObject({
      ok: false,
      failure: { errorType: 'connection_lost' },
    })
  })
}

type Plan = Output<'_cleveragents/plan/status'>

async function use(client: Client, args: Record<string, unknown> = {}): Promise<Plan> {
  const params = {
    action_name: 'builtin/replace-text',
    args: { find: 'a', replace: 'b', ...args },
    wait: true,
  }
  return value(await client.call('_cleveragents/plan/use', params))
}

async function approve(client: Client, plan: Plan): Promise<Plan> {
  const { gate_id, digest } = gateOf(plan)
  const params = { plan_id: plan.plan_id, gate_id, digest, wait: true }
  return value(await client.call('_cleveragents/plan/approve', params))
}

function gateOf(plan: Plan) {
  const [gate] = plan.gates
  if (!gate) throw new Error(`plan ${plan.name} has no open gate`)
  return gate
}

function value<Value>(result: { ok: true; value: Value } | { ok: false; failure: unknown }): Value {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.failure)}`)
  return result.value
}

/** Follows the events and lets a test wait for one. */
function collect(client: Client, afterSeq: number, more: { signal?: AbortSignal; planId?: string } = {}) {
  const all: WireEvent[] = []
  const opened = Promise.withResolvers<number>()
  let wake = () => {}
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const end = client.subscribe({
    afterSeq,
    signal: more.signal ?? stop.signal,
    ...(more.planId ? { planId: more.planId } : {}),
    onOpen: opened.resolve,
    onEvent(event) {
      all.push(event)
      wake()
    },
  })
  return {
    all,
    end,
    opened: opened.promise,
    async until(condition: (event: WireEvent) => boolean): Promise<void> {
      while (!all.some(condition)) await new Promise<void>(resolve => (wake = resolve))
    },
  }
}
