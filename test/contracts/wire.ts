import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../src/a2a/client/client.ts'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import type { Output } from '../../src/a2a/protocol/methods.ts'

/** A client of a fresh, empty backend, and the folder its plans work on. */
export interface WireSetUp {
  readonly client: Client
  readonly folder: string
}

/** What a client may rely on, whatever carries the frames and whatever backend answers. */
export function describeWire(setUp: () => Promise<WireSetUp>): void {
  let folder = ''
  const connect = async () => {
    const made = await setUp()
    folder = made.folder
    return made.client
  }
  const use = async (client: Client) => usePlan(client, folder)

  test('a plan goes from its action through both gates to applied', async () => {
    const client = await connect()

    const used = await use(client)
    expect(used).toMatchObject({ phase: 'strategize', state: 'awaiting_input', task_state: 'input-required' })
    const executed = await approve(client, used)
    expect(executed).toMatchObject({ phase: 'execute', state: 'awaiting_input', gates: [{ status: 'open' }] })
    expect(gateOf(executed).gate_id).not.toBe(gateOf(used).gate_id)
    const applied = await approveAll(client, executed)

    expect(applied).toMatchObject({ phase: 'apply', state: 'applied', task_state: 'completed', gates: [] })
  })

  test('without wait the plan comes back as soon as it is on record', async () => {
    const client = await connect()

    const plan = value(await client.call('_cleveragents/plan/use', using(folder)))

    expect(plan).toMatchObject({ state: 'queued', task_state: 'submitted' })
  })

  test('a refusal carries its stable type, its facts and its number', async () => {
    const result = await (await connect()).call('_cleveragents/plan/use', {
      action_name: 'builtin/replace-txt',
    })

    expect(result).toEqual({
      ok: false,
      failure: {
        errorType: 'not_found',
        code: -32001,
        message: expect.stringContaining('builtin/replace-text'),
        facts: expect.any(Object),
      },
    })
  })

  test('an answer takes effect once; the second is stale', async () => {
    const client = await connect()
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
    const client = await connect()
    const plan = await use(client)

    const result = await client.call('_cleveragents/plan/approve', { plan_id: plan.plan_id, digest: 'old' })

    expect(result).toMatchObject({ failure: { errorType: 'stale_answer' } })
  })

  test('guidance gives a new gate', async () => {
    const client = await connect()
    const first = await use(client)

    const changed = await client.call('_cleveragents/plan/request-changes', {
      plan_id: first.plan_id,
      guidance: 'leave the tests alone',
      wait: true,
    })

    expect(gateOf(value(changed)).gate_id).not.toBe(gateOf(first).gate_id)
  })

  test('a rejected phase pauses with the note', async () => {
    const client = await connect()
    const { plan_id } = await use(client)

    const rejected = await client.call('_cleveragents/plan/reject', { plan_id, note: 'not now', wait: true })

    expect(value(rejected)).toMatchObject({ state: 'paused', reason: expect.stringContaining('not now') })
  })

  test('cancelling twice is harmless', async () => {
    const client = await connect()
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
    const client = await connect()
    const plan = await use(client)
    const events = collect(client, 0)

    await approveAll(client, plan)

    await events.until(each => each.method === 'task/statusUpdate' && each.plan_state === 'applied')
    const seqs = events.all.map(each => each.seq)
    expect(seqs[0]).toBe(1)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
    const countOf = (method: string) => events.all.filter(each => each.method === method).length
    expect(countOf('_cleveragents/gate/resolved')).toBe(countOf('_cleveragents/gate/opened'))
  })

  test('a reader that comes back goes on behind the last number it saw', async () => {
    const client = await connect()
    const whole = collect(client, 0)
    const abort = new AbortController()
    const first = collect(client, 0, { signal: abort.signal })
    const plan = await use(client)
    await first.until(each => each.method === '_cleveragents/gate/opened')
    abort.abort()
    const seen = first.all.length

    await approveAll(client, plan)
    const isEnd = (each: WireEvent) => each.method === 'task/statusUpdate' && each.plan_state === 'applied'
    const second = collect(client, first.all.at(-1)?.seq ?? 0)
    await second.until(isEnd)
    await whole.until(isEnd)

    expect(first.all).toHaveLength(seen)
    expect(await first.end).toEqual({ kind: 'cancelled' })
    // What comes after the end of the plan (its lease is given back) may be on its way still.
    const upToEnd = (all: readonly WireEvent[]) =>
      all.slice(0, all.findIndex(isEnd) + 1).map(each => each.event_id)
    expect(upToEnd([...first.all, ...second.all])).toEqual(upToEnd(whole.all))
  })

  test('a reader of one plan hears of no other', async () => {
    const client = await connect()
    const [mine, other] = [await use(client), await use(client)]
    const events = collect(client, 0, { planId: mine.plan_id })

    await approve(client, other)
    await approveAll(client, mine)

    await events.until(each => each.method === 'task/statusUpdate' && each.plan_state === 'applied')
    expect(new Set(events.all.map(each => each.plan_id))).toEqual(new Set([mine.plan_id]))
  })

  test('what is waited for no longer leaves the rest alone', async () => {
    const client = await connect()
    const abort = new AbortController()
    const waiting = client.call('_cleveragents/event/subscribe', {}, { signal: abort.signal })
    const call = client.call('_cleveragents/health/check', {}, { signal: abort.signal })

    abort.abort()

    expect(await call).toMatchObject({ ok: false, failure: { errorType: 'interrupted' } })
    expect(await waiting).toMatchObject({ ok: false })
    expect(await client.call('_cleveragents/health/check', {})).toMatchObject({ ok: true })
  })

  test('closing ends what is open and refuses what comes after', async () => {
    const client = await connect()
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

function using(folder: string) {
  const args = { find: 'colour', replace: 'color' }
  return { action_name: 'builtin/replace-text', args, folder, automation_profile: 'supervised' }
}

async function usePlan(client: Client, folder: string): Promise<Plan> {
  return value(await client.call('_cleveragents/plan/use', { ...using(folder), wait: true }))
}

async function approve(client: Client, plan: Plan): Promise<Plan> {
  const { gate_id, digest } = gateOf(plan)
  const params = { plan_id: plan.plan_id, gate_id, digest, wait: true }
  return value(await client.call('_cleveragents/plan/approve', params))
}

async function approveAll(client: Client, plan: Plan): Promise<Plan> {
  let now = plan
  while (now.gates.length > 0) now = await approve(client, now)
  return now
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
