import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Connect } from '../../stores/screen-client.ts'
import { createScreenStore } from '../../stores/screen-store.ts'
import { windowOf } from '../../stores/tree-window.ts'
import { initialUi } from '../../stores/ui.ts'
import { createFakeClock } from '../support/clock.ts'
import { aDecision, aGate, aPlan, createEventMaker } from '../support/screen-views.ts'
import { type Answers, createScriptedClient, refusal } from '../support/scripted-client.ts'

const plan = aPlan({ plan_id: 'plan-1' })
const loaded: Answers = {
  '_cleveragents/plan/list': () => ({ plans: [plan], seq: 10 }),
  '_cleveragents/gate/list': () => ({ gates: [] }),
  '_cleveragents/plan/steps': () => ({ steps: [] }),
}

function aStore(connect: Connect, options: { startWith?: string } = {}) {
  const clock = createFakeClock()
  const ui = initialUi<never>({ size: { columns: 80, rows: 24 }, themeName: 'dark' })
  const clean = (line: string) => line.replaceAll('\u001b', '␛')
  const store = createScreenStore<never>({ connect, timer: clock, clean, ui, ...options })
  let frames = 0
  store.state.subscribe(() => frames++)
  return { store, clock, frames: () => frames }
}

test('it loads plans and gates, selects the newest plan and follows the log from the number of the list', async () => {
  const newer = aPlan({ plan_id: 'plan-2', name: 'newer' })
  const backend = createScriptedClient({
    ...loaded,
    '_cleveragents/plan/list': () => ({ plans: [plan, newer], seq: 10 }),
    '_cleveragents/gate/list': () => ({ gates: [aGate({ gate_id: 'g1' })] }),
  })
  const { store } = aStore(async () => backend.client)
  await store.start()
  expect(store.ui().selectedPlanId).toBe('plan-2')
  expect([...store.model.gates.open.keys()]).toEqual(['g1'])
  expect(backend.subscribedAfter).toEqual([10])
  expect(store.state.getState().connection).toEqual({ kind: 'connected' })
})

test('the plan named at the start is selected even when it appears later', async () => {
  const backend = createScriptedClient(loaded)
  const { store } = aStore(async () => backend.client, { startWith: 'plan-7' })
  await store.start()
  const anEvent = createEventMaker(10)
  backend.send(
    anEvent('task/statusUpdate', {
      taskId: 'plan-7',
      state: 'working',
      phase: 'execute',
      plan_state: 'running',
      reason: null,
      plan: aPlan({ plan_id: 'plan-7' }),
    }),
  )
  expect([store.ui().selectedPlanId, store.ui().focus]).toEqual(['plan-7', 'tree'])
})

test('any number of events gives one frame, 33 milliseconds after the last', async () => {
  const backend = createScriptedClient(loaded)
  const { store, clock, frames } = aStore(async () => backend.client)
  await store.start()
  const before = frames()
  const anEvent = createEventMaker(10)
  for (let at = 0; at < 100; at++)
    backend.send(anEvent('_cleveragents/step/output', { step_id: 's', text: 'x' }))
  expect(frames()).toBe(before)
  clock.advance(33)
  expect(frames()).toBe(before + 1)
  clock.advance(10_000)
  expect(frames()).toBe(before + 1)
})

test('what a key caused is shown at once', async () => {
  const { store, frames } = aStore(async () => createScriptedClient(loaded).client)
  await store.start()
  const before = frames()
  store.changeUi(ui => ({ ...ui, focus: 'inspector' }))
  expect([frames(), store.state.getState().ui.focus]).toEqual([before + 1, 'inspector'])
})

test('events that come while a tree is loading are applied after what was loaded', async () => {
  let answerTree = () => {}
  const backend = createScriptedClient({
    ...loaded,
    '_cleveragents/plan/tree': () =>
      new Promise(resolve => {
        answerTree = () =>
          resolve({ plan_id: 'plan-1', decisions: [aDecision({ decision_id: 'd1' })], edges: [], plans: [] })
      }),
  })
  const { store } = aStore(async () => backend.client)
  await store.start()
  store.wantTree('plan-1')
  await setImmediate()
  const anEvent = createEventMaker(10)
  backend.send(
    anEvent('_cleveragents/decision/superseded', {
      decision_ids: ['d1'],
      reason: 'correction',
      correction_id: null,
      superseded_by: null,
    }),
  )
  answerTree()
  await setImmediate()
  expect(store.model.trees.get('plan-1')?.tree.nodes.get('d1')?.item).toMatchObject({
    decision: { status: 'superseded' },
  })
})

test('after a loss it says so, keeps what it knows, and goes on from the last event seen', async () => {
  const first = createScriptedClient(loaded)
  const second = createScriptedClient(loaded)
  const clients = [first.client, second.client]
  const { store } = aStore(async () => {
    const client = clients.shift()
    if (!client) throw new Error('no more backends')
    return client
  })
  await store.start()
  const anEvent = createEventMaker(10)
  first.send(anEvent('_cleveragents/gate/opened', { gate: aGate({ gate_id: 'g1' }) }))
  first.lose('The backend ended with signal \u001b9.')
  await setImmediate()
  expect(store.state.getState().connection).toEqual({
    kind: 'disconnected',
    reason: 'The backend ended with signal ␛9.',
  })
  expect(await store.call('_cleveragents/plan/pause', { plan_id: 'plan-1' })).toMatchObject({
    ok: false,
    failure: { errorType: 'connection_lost' },
  })
  await store.start()
  expect([second.subscribedAfter, second.callsOf('_cleveragents/plan/list')]).toEqual([[11], []])
  expect([...store.model.gates.open.keys()]).toEqual(['g1'])
})

test('a backend that cannot be started is told as an error', async () => {
  const { store } = aStore(async () => {
    throw new Error('The backend could not be started: no such file.')
  })
  await store.start()
  expect(store.state.getState().connection).toEqual({
    kind: 'error',
    message: 'The backend could not be started: no such file.',
  })
})

test('a backend that ends the stream of events is told as lost', async () => {
  const backend = createScriptedClient(loaded)
  const { store } = aStore(async () => backend.client)
  await store.start()
  backend.endStream({ kind: 'complete' })
  await setImmediate()
  expect(store.state.getState().connection).toEqual({
    kind: 'disconnected',
    reason: 'The backend has stopped.',
  })
})

test('a gap in the events makes it read everything anew', async () => {
  const backend = createScriptedClient(loaded)
  const { store } = aStore(async () => backend.client)
  await store.start()
  const anEvent = createEventMaker(10)
  backend.send(anEvent('_cleveragents/gap', { from: 3, to: 9 }))
  await setImmediate()
  expect(backend.callsOf('_cleveragents/plan/list')).toHaveLength(2)
})

test('text from outside is cleaned before it is kept; identifiers stay as they are', async () => {
  const backend = createScriptedClient({
    ...loaded,
    '_cleveragents/plan/tree': () => ({
      plan_id: 'plan-1',
      decisions: [aDecision({ decision_id: 'd\u001b', question: 'red \u001b[31m?' })],
      edges: [],
      plans: [],
    }),
  })
  const { store } = aStore(async () => backend.client)
  await store.start()
  store.wantTree('plan-1')
  await setImmediate()
  const tree = store.model.trees.get('plan-1')?.tree
  expect(tree && windowOf(tree, 0, 9).map(line => line.node.item)).toMatchObject([
    { decision: { decision_id: 'd\u001b', question: 'red ␛[31m?' } },
  ])
})

test('what was fetched is asked for again only after an event made it old, and no sooner than a second later', async () => {
  const diff = {
    plan_id: 'plan-1',
    digest: 'x',
    part: 'all' as const,
    old: { title: 'before the plan' },
    new: { title: 'now' },
    files: [],
    patch: '',
    patch_encoding: 'utf8' as const,
  }
  const backend = createScriptedClient({ ...loaded, '_cleveragents/plan/diff': () => diff })
  const { store, clock } = aStore(async () => backend.client)
  await store.start()
  const want = () =>
    store.shelves.diffs.want('plan-1', () => store.call('_cleveragents/plan/diff', { plan_id: 'plan-1' }))
  want()
  await setImmediate()
  want()
  expect([store.shelves.diffs.peek('plan-1')?.kind, backend.calls.length]).toEqual(['ready', 3])
  const anEvent = createEventMaker(10)
  backend.send(
    anEvent('_cleveragents/decision/workDone', {
      decision_id: 'd1',
      changes: { files: 1, additions: 1, deletions: 0 },
    }),
  )
  want()
  expect(backend.calls.length).toBe(3)
  clock.advance(1_000)
  want()
  expect([store.shelves.diffs.peek('plan-1')?.kind, backend.calls.length]).toEqual(['ready', 4])
})

test('a refused tree tells why', async () => {
  const backend = createScriptedClient({
    ...loaded,
    '_cleveragents/plan/tree': () => refusal('not_found', 'No plan plan-1.'),
  })
  const { store } = aStore(async () => backend.client)
  await store.start()
  store.wantTree('plan-1')
  await setImmediate()
  expect(store.model.trees.get('plan-1')?.status).toEqual({ kind: 'failed', message: 'No plan plan-1.' })
})
