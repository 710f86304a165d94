import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/application/ports.ts'
import type { DecisionStatus } from '../../src/domain/decision/decision.ts'
import type { DecisionId, MessageId } from '../../src/domain/ids.ts'
import type { Message } from '../../src/domain/model/message.ts'
import { openStore } from '../../src/infrastructure/sqlite/store.ts'
import { systemClock } from '../../src/infrastructure/system/clock.ts'
import { createIdSource } from '../../src/infrastructure/system/ids.ts'
import { type Measurement, percentile } from '../support/measurement.ts'
import { aDecision, aPlan } from '../support/records.ts'

const MESSAGES = 1_000
const ROUNDS = 30

/** What it costs to go back in a long history of messages, against parsing the same messages from memory. */
export async function measure(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agents-bench-'))
  const opened = openStore({ dataDir: folder, clock: systemClock, newId: createIdSource() })
  if (!opened.ok) throw new Error(opened.failure.message)
  try {
    return measureOn(opened.value)
  } finally {
    opened.value.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function measureOn(store: Store): Measurement[] {
  const plan = aPlan()
  const said = Array.from({ length: MESSAGES }, (_, at) => message(at))
  const heads: MessageId[] = []
  const decisionIds: DecisionId[] = []
  store.transaction(() => {
    store.plans.insert(plan)
    for (const each of said) heads.push(after(store, plan.planId, heads.at(-1) ?? null, each))
    for (let number = 1; number <= 100; number++) {
      const decision = aDecision({ planId: plan.planId, number })
      store.decisions.insert(decision)
      decisionIds.push(decision.decisionId)
    }
  })
  const [middle, last] = [heads[MESSAGES / 2], heads.at(-1)]
  if (!middle || !last) throw new Error('nothing was said')
  const texts = said.map(each => JSON.stringify(each))
  const floor = {
    what: 'parsing the same messages',
    value: median(() => void texts.map(text => JSON.parse(text))),
  }
  let round = 0
  return [
    {
      what: `reading a history of ${MESSAGES.toLocaleString('en')} messages`,
      value: median(() => void store.messages.path(last)),
      unit: 'ms',
      floor,
    },
    {
      what: `going back half of ${MESSAGES.toLocaleString('en')} messages with guidance, to where a model is asked`,
      value: median(() => {
        const head = store.transaction(() => {
          store.decisions.setStatus(decisionIds.slice(50), TAKEN_BACK)
          return after(store, plan.planId, middle, { role: 'user', text: `guidance ${round++}` })
        })
        store.messages.path(head)
      }),
      unit: 'ms',
      floor,
    },
  ]
}

function after(store: Store, thread: string, head: MessageId | null, said: Message): MessageId {
  const id = store.messages.append(thread, head, [said])
  if (id === null) throw new Error('nothing was said')
  return id
}

const TAKEN_BACK: DecisionStatus = {
  kind: 'superseded',
  reason: 'correction',
  supersededBy: null,
  correctionId: null,
  why: null,
}

/** Half of them calls, half of them what came of them: a thousand characters each. */
function message(at: number): Message {
  const text = `${at} ${'x'.repeat(1_000)}`
  if (at % 2 === 0) return { role: 'user', text }
  return { role: 'assistant', parts: [{ kind: 'text', text, opaque: null }], isCut: false }
}

function median(work: () => void): number {
  const samples = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return percentile(samples, 0.5)
}
