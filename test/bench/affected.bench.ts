import { affectedBy } from '../../src/domain/decision/correction.ts'
import type { Decision } from '../../src/domain/decision/decision.ts'
import type { DecisionWeb } from '../../src/domain/decision/influence.ts'
import { asId, type DecisionId } from '../../src/domain/ids.ts'
import { type Measurement, percentile } from '../support/measurement.ts'
import { aDecision } from '../support/records.ts'

const ROUNDS = 7
const COUNT = 100_000

/** What a correction affects in a tree of 100,000 decisions, against filling a map with as many keys. */
export function measure(): Promise<Measurement[]> {
  const { decisions, web, target } = bigTree()
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(msOf(() => affectedBy(target, decisions, web)))
    bare.push(msOf(() => new Map(decisions.map(decision => [decision.decisionId, decision]))))
  }
  return Promise.resolve([
    {
      what: `what a correction affects, ${COUNT.toLocaleString('en')} decisions, twice as many edges`,
      value: percentile(ours, 0.5),
      unit: 'ms',
      floor: { what: 'a map of as many keys', value: percentile(bare, 0.5) },
    },
  ])
}

/** Eight children each; every decision also rests on two earlier ones. */
function bigTree() {
  const template = aDecision({ planId: asId('01JZZZZZZZZZZZZZZZZZZZZZZZ') })
  const numbers = Array.from({ length: COUNT }, (_, index) => index + 1)
  const decisions = numbers.map(
    (number): Decision => ({
      ...template,
      decisionId: asId<DecisionId>(`01JZ${String(number).padStart(22, '0')}`),
      number,
      status: { kind: 'active' },
    }),
  )
  const web: DecisionWeb = {
    parents: numbers.map(number => Math.floor((number + 6) / 8)),
    edges: numbers.flatMap(downstream =>
      [downstream - 7, downstream - 1_000]
        .filter(upstream => upstream > 0)
        .map(upstream => ({ upstream, downstream, why: 'read a file' })),
    ),
  }
  const target = decisions[1]
  if (!target) throw new Error('no target')
  return { decisions, web, target }
}

function msOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
