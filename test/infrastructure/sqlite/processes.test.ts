import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import type { PlanEvent } from '../../../src/application/ports/event-log.ts'
import type { Store } from '../../../src/application/ports.ts'
import type { PlanId } from '../../../src/domain/ids.ts'
import { aPlan } from '../../support/records.ts'
import { openTestStore } from '../../support/store.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('two processes that append at the same time leave one sequence without gaps', async () => {
  const { dataDir, store, planIds } = await storeWithPlans(2)
  const writers = planIds.map(planId => start('writer.ts', dataDir, planId, '2000'))
  const printed = await Promise.all(writers.map(async writer => (await linesOf(writer)).map(Number)))
  const events = store.events.read(0, 10_000)
  expect(events.map(event => event.seq)).toEqual(Array.from({ length: 4000 }, (_, index) => index + 1))
  planIds.forEach((planId, index) => {
    const own = store.events.read(0, 10_000, planId)
    expect(own.map(event => event.seq)).toEqual(printed[index])
    expect(own.map(pathOf)).toEqual(Array.from({ length: 2000 }, (_, step) => `execute[${step}]`))
  })
})

test('a process killed in the middle loses nothing that it had committed, and leaves nothing half done', async () => {
  const { dataDir, store, planIds } = await storeWithPlans(1)
  const [planId] = planIds as [PlanId] // one was asked for
  for (const killAfter of [1, 17, 40, 5, 73]) {
    const writer = start('writer.ts', dataDir, planId, '100000')
    const printed = await linesUntil(writer, killAfter)
    const seqs = new Set(store.events.read(0, 10_000).map(event => event.seq))
    expect(printed.filter(seq => !seqs.has(seq))).toEqual([])
  }
  const events = store.events.read(0, 10_000)
  expect(events.map(event => event.seq)).toEqual(events.map((_, index) => index + 1))
  expect(store.steps.listByPlan(planId)).toEqual(events.map(event => 'step' in event.body && event.body.step))
})

test('listeners hear of events that another process appended', async () => {
  const { dataDir, store, planIds } = await storeWithPlans(1)
  const [planId = ''] = planIds
  const heard = new Promise<void>(resolve => {
    const stop = store.events.onChange(() => {
      if (store.events.lastSeq() < 3) return
      stop()
      resolve()
    })
  })
  await linesOf(start('writer.ts', dataDir, planId, '3'))
  // The timer of the listener keeps no process alive; something else must.
  const keepAlive = setInterval(() => {}, 1000)
  onTestFinished(() => clearInterval(keepAlive))
  await heard
  expect(store.events.read(0, 10).map(event => event.seq)).toEqual([1, 2, 3])
})

test('a transaction waits for the lock of another process', async () => {
  const { dataDir, store } = await storeWithPlans(1)
  const locker = start('locker.ts', join(dataDir, 'store.db'), '400')
  await once(locker.stdout, 'data')
  const plan = aPlan()
  store.plans.insert(plan)
  store.transaction(() => store.plans.update({ ...plan, reason: 'waited' }))
  expect(store.plans.find(plan.planId)?.reason).toBe('waited')
})

async function storeWithPlans(count: number): Promise<{ dataDir: string; store: Store; planIds: PlanId[] }> {
  const dataDir = await temporaryFolder()
  const store = openTestStore({ dataDir })
  const plans = Array.from({ length: count }, () => aPlan())
  for (const plan of plans) store.plans.insert(plan)
  return { dataDir, store, planIds: plans.map(plan => plan.planId) }
}

type Child = ChildProcessByStdio<null, Readable, null>

function start(script: string, ...args: string[]): Child {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function linesOf(child: Child): Promise<string[]> {
  const lines: string[] = []
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) lines.push(line)
  expect(await ended).toEqual([0, null])
  return lines
}

/** Every whole number printed until the process was dead. */
async function linesUntil(child: Child, count: number): Promise<number[]> {
  const ended = once(child, 'exit')
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.split('\n').length > count) child.kill('SIGKILL')
  }
  expect(await ended).toEqual([null, 'SIGKILL'])
  return text.split('\n').slice(0, -1).map(Number)
}

function pathOf(event: PlanEvent): string | null {
  return event.body.type === 'STEP_STARTED' ? event.body.step.path : null
}
