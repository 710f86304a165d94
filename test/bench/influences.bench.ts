import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordInfluences } from '../../src/application/decision/record-influences.ts'
import { recordWrites } from '../../src/application/decision/record-writes.ts'
import type { Ports, Store } from '../../src/application/ports.ts'
import type { Step } from '../../src/domain/plan/journal.ts'
import type { Plan } from '../../src/domain/plan/plan.ts'
import type { RelPath } from '../../src/domain/sandbox/rel-path.ts'
import { openStore } from '../../src/infrastructure/sqlite/store.ts'
import { systemClock } from '../../src/infrastructure/system/clock.ts'
import { createIdSource } from '../../src/infrastructure/system/ids.ts'
import { type Measurement, percentile } from '../support/measurement.ts'
import { aDecision, aPlan, aStep } from '../support/records.ts'

const DECISIONS = 10_000
const ROUNDS = 50

/** What it costs to know what a step rests on, late in a large plan, against looking up one decision by its id. */
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
  const ports = { store } as Ports // what is measured asks for the store alone
  const plan = aPlan()
  const ids = fill(ports, plan)
  const last = ids.at(-1)
  if (!last) throw new Error('no decisions')
  const step = (more: Partial<Step>) => aStep({ planId: plan.planId, decisionId: last, written: [], ...more })
  const some = path(DECISIONS / 2)
  const floor = middle(() => void store.decisions.find(last))
  const of = (what: string, work: () => void): Measurement => ({
    what: `${what}, ${DECISIONS.toLocaleString('en')} decisions`,
    // In one transaction: how long a commit waits for the disk is no matter here.
    value: store.transaction(() => middle(work)),
    unit: 'ms',
    floor: { what: 'one decision by its id', value: floor },
  })
  const looksAt = (at: RelPath) => at.startsWith('src/5')
  return [
    of('what a read rests on', () => recordInfluences(ports, plan, step({ read: [some] }))),
    of('what a search in a tenth of the files rests on', () =>
      recordInfluences(ports, plan, step({ read: [] }), { prefix: 'src/5', looksAt }),
    ),
    of('what a command rests on', () => recordInfluences(ports, plan, step({ read: 'unknown' }))),
  ]
}

/** Each decision wrote a file of its own; every tenth ran a command too. */
function fill(ports: Ports, plan: Plan) {
  const { store } = ports
  return store.transaction(() => {
    store.plans.insert(plan)
    return Array.from({ length: DECISIONS }, (_, index) => {
      const decision = aDecision({
        planId: plan.planId,
        number: index + 1,
        parentDecisionId: null,
        key: `d${index}`,
      })
      store.decisions.insert(decision)
      const { decisionId } = decision
      const done = aStep({
        planId: plan.planId,
        decisionId,
        read: index % 10 === 0 ? 'unknown' : [],
        written: [path(index)],
      })
      store.steps.insert(done)
      recordInfluences(ports, plan, done)
      recordWrites(ports, done)
      return decisionId
    })
  })
}

function path(index: number): RelPath {
  return `src/${index}.ts` as RelPath // a plain one is its own text form
}

function middle(work: () => void): number {
  const taken = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return percentile(taken, 0.5)
}
