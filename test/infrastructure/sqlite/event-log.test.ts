import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { PlanEvent, PlanEventBody } from '../../../src/application/ports/event-log.ts'
import type { Store } from '../../../src/application/ports.ts'
import { FailureError } from '../../../src/domain/failure.ts'
import type { PlanId } from '../../../src/domain/ids.ts'
import {
  aCheckpoint,
  aCorrection,
  aDecision,
  aGate,
  aLease,
  aPlan,
  aStep,
  newId,
} from '../../support/records.ts'
import { openTestStore } from '../../support/store.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { eventually } from '../../support/wait-for.ts'

let dataDir: string
let store: Store
let planId: PlanId

beforeEach(async () => {
  dataDir = await temporaryFolder()
  store = openTestStore({ dataDir })
  const plan = aPlan()
  planId = plan.planId
  store.plans.insert(plan)
})

describe('the log', () => {
  test('gives back every kind of event as it was appended, from any place', () => {
    const appended = bodies().map(body => store.events.append(planId, planId, body))
    expect(appended.map(event => event.seq)).toEqual(appended.map((_, index) => index + 1))
    expect(store.events.read(0, 1000)).toEqual(appended)
    expect(store.events.read(3, 2)).toEqual(appended.slice(3, 5))
    expect(store.events.read(appended.length, 10)).toEqual([])
    expect(store.events.lastSeq()).toBe(appended.length)
  })

  test('can be read for one plan', () => {
    const other = aPlan()
    store.plans.insert(other)
    const events = [planId, other.planId, planId].map(id => output('x', id))
    expect(store.events.read(0, 10, planId)).toEqual([events[0], events[2]])
    expect(store.events.read(1, 10, planId)).toEqual([events[2]])
  })

  test('keeps any text', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-composite' }))
    fc.assert(
      fc.property(text, value => {
        const event = output(value)
        expect(store.events.read(event.seq - 1, 1)).toEqual([event])
      }),
      { numRuns: 50 },
    )
  })

  test('keeps any JSON that a tool was given', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), input => {
        const step = aStep({ planId, input: JSON.parse(JSON.stringify(input)) })
        const event = store.events.append(planId, planId, { type: 'STEP_STARTED', step })
        store.steps.insert(step)
        expect(store.events.read(event.seq - 1, 1)).toEqual([event])
        expect(store.steps.find(step.stepId)).toEqual(step)
      }),
      { numRuns: 50 },
    )
  })

  test('has no place for events of a plan that is not stored', () => {
    expect(() => output('x', newId())).toThrow(/FOREIGN KEY/)
    expect(store.events.lastSeq()).toBe(0)
  })
})

describe('a transaction', () => {
  test('that throws leaves nothing, and its numbers are given out again', () => {
    const work = () => {
      output('lost')
      store.gates.insert(aGate({ planId }))
      throw new Error('no')
    }
    expect(() => store.transaction(work)).toThrow('no')
    expect(store.gates.listOpen(null)).toEqual([])
    expect(output('kept').seq).toBe(1)
  })

  test('within another joins it', () => {
    const work = () => {
      store.transaction(() => output('inner'))
      throw new Error('outer')
    }
    expect(() => store.transaction(work)).toThrow('outer')
    expect(store.events.lastSeq()).toBe(0)
  })

  test('within another that throws is undone alone when the outer one goes on', () => {
    store.transaction(() => {
      output('before')
      const inner = () =>
        store.transaction(() => {
          output('inner')
          throw new Error('no')
        })
      expect(inner).toThrow('no')
      output('after')
    })
    expect(texts(store.events.read(0, 10))).toEqual(['before', 'after'])
  })

  test('gives back what its work gave', () => {
    expect(store.transaction(() => store.transaction(() => 5))).toBe(5)
  })

  test('cannot wait', () => {
    expect(() => store.transaction(async () => output('x'))).toThrow(/cannot wait/)
    expect(store.events.lastSeq()).toBe(0)
  })

  test('on a locked store fails after a bounded wait, while reading goes on', () => {
    const hasty = openTestStore({ dataDir, patience: { timeoutMs: 10, attempts: 2 } })
    const work = vi.fn()
    store.transaction(() => {
      output('x')
      expect(failureOf(() => hasty.transaction(work))).toMatchObject({ code: 'store_busy' })
      expect(failureOf(() => hasty.plans.insert(aPlan()))).toMatchObject({ code: 'store_busy' })
      expect(failureOf(() => hasty.blobs.put({}))).toMatchObject({ code: 'store_busy' })
      expect(hasty.events.lastSeq()).toBe(0)
    })
    expect(work).not.toHaveBeenCalled()
    expect(hasty.transaction(() => hasty.events.lastSeq())).toBe(1)
  })
})

describe('listeners', () => {
  test('are called once for each commit that added events, after it', () => {
    const heard: number[] = []
    store.events.onChange(() => heard.push(store.events.lastSeq()))
    store.transaction(() => {
      output('a')
      store.transaction(() => output('b'))
      expect(heard).toEqual([])
    })
    store.transaction(() => store.gates.insert(aGate({ planId })))
    output('c')
    expect(heard).toEqual([2, 3])
  })

  test('are not called after a rollback', () => {
    const listener = vi.fn()
    store.events.onChange(listener)
    expect(() =>
      store.transaction(() => {
        output('x')
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(listener).not.toHaveBeenCalled()
  })

  test('are called no more once they have stopped', () => {
    const [first, second] = [vi.fn(), vi.fn()]
    const stop = store.events.onChange(first)
    store.events.onChange(second)
    stop()
    stop()
    output('x')
    expect(first).not.toHaveBeenCalled()
    expect(second).toHaveBeenCalledTimes(1)
  })

  test('may store something themselves', () => {
    const stop = store.events.onChange(() => {
      stop()
      output('answer')
    })
    output('question')
    expect(texts(store.events.read(0, 10))).toEqual(['question', 'answer'])
  })

  test('hear of events from another connection, and of nothing else it commits', async () => {
    const other = openTestStore({ dataDir })
    const heard: number[] = []
    store.events.onChange(() => heard.push(store.events.lastSeq()))
    other.gates.insert(aGate({ planId }))
    other.events.append(planId, planId, { type: 'STEP_OUTPUT', stepId: newId(), text: 'x' })
    await eventually(() => expect(heard).toEqual([1]))
    other.gates.insert(aGate({ planId }))
    other.events.append(planId, planId, { type: 'STEP_OUTPUT', stepId: newId(), text: 'y' })
    await eventually(() => expect(heard).toEqual([1, 2]))
  })
})

function output(text: string, id = planId): PlanEvent {
  return store.transaction(() => store.events.append(id, id, { type: 'STEP_OUTPUT', stepId: newId(), text }))
}

function texts(events: readonly PlanEvent[]): string[] {
  return events.flatMap(({ body }) => (body.type === 'STEP_OUTPUT' ? [body.text] : []))
}

function failureOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
  throw new Error('nothing was refused')
}

function bodies(): PlanEventBody[] {
  const plan = aPlan()
  const decision = aDecision({ planId })
  const { decisionId } = decision
  const gate = aGate({ planId })
  const [step, checkpoint, correction] = [aStep({ planId }), aCheckpoint({ planId }), aCorrection({ planId })]
  return [
    { type: 'PLAN_CREATED', plan },
    { type: 'PLAN_PHASE_CHANGED', plan },
    { type: 'PLAN_STATE_CHANGED', plan },
    { type: 'PLAN_APPLIED', plan },
    { type: 'PLAN_CANCELLED', plan },
    { type: 'PLAN_ERRORED', plan },
    {
      type: 'DECISION_RECORDED',
      decision,
      influences: [
        {
          upstreamDecisionId: newId(),
          downstream: { kind: 'decision', decisionId },
          origin: 'derived',
          why: 'x',
        },
      ],
    },
    { type: 'DECISION_WORK_DONE', decisionId, changes: { files: 1, additions: 2, deletions: 0 } },
    {
      type: 'DECISIONS_SUPERSEDED',
      decisionIds: [decisionId],
      reason: 'correction',
      correctionId: newId(),
      supersededBy: null,
    },
    { type: 'DECISIONS_RESTORED', decisionIds: [decisionId] },
    { type: 'STEP_STARTED', step },
    { type: 'STEP_OUTPUT', stepId: step.stepId, text: 'ok\n' },
    {
      type: 'STEP_FINISHED',
      step: { ...step, status: 'done', outcome: { kind: 'tool_result', output: {} } },
    },
    { type: 'GATE_OPENED', gate },
    { type: 'GATE_RESOLVED', gate },
    { type: 'GATE_VOIDED', gate: { ...gate, status: { kind: 'void', reason: 'x', at: 'now' } } },
    { type: 'CHECKPOINT_CREATED', checkpoint },
    { type: 'CHECKPOINT_RESTORED', restored: ['a'], removed: [] },
    { type: 'ARTIFACT_PRODUCED', name: 'out.txt', kind: 'log', bytes: 3 },
    { type: 'COST_CHARGED', usd: 0.01, planUsd: null, tokens: 12, planTokens: 40 },
    { type: 'CORRECTION_STARTED', correction },
    { type: 'CORRECTION_FINISHED', correction },
    { type: 'LEASE_CHANGED', holder: aLease({ planId }).holder },
    { type: 'LEASE_CHANGED', holder: null },
  ]
}
