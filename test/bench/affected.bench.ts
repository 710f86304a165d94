import { affectedBy } from '../../src/domain/decision/correction.ts'
import type { Decision } from '../../src/domain/decision/decision.ts'
import type { Influence } from '../../src/domain/decision/influence.ts'
import { asId, type DecisionId } from '../../src/domain/ids.ts'
import { type Measurement, percentile } from '../support/measurement.ts'
import { aDecision } from '../support/records.ts'

const ROUNDS = 7
const COUNT = 100_000

/** What a correction affects in a tree of 100,000 decisions, against filling a map with as many keys. */
export function measure(): Promise<Measurement[]> {
  const { decisions, influences, target } = bigTree()
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(msOf(() => affectedBy(target, decisions, influences)))
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
  const ids = Array.from({ length: COUNT }, (_, index) =>
    asId<DecisionId>(`01JZ${String(index).padStart(22, '0')}`),
  )
  const idAt = (index: number): DecisionId => ids[index] ?? template.decisionId
  const decisions = ids.map(
    (decisionId, index): Decision => ({
      ...template,
      decisionId,
      number: index + 1,
      parentDecisionId: index === 0 ? null : idAt(Math.floor((index - 1) / 8)),
      status: { kind: 'active' },
    }),
  )
  const influences = ids.flatMap((decisionId, index): Influence[] =>
    [index - 7, index - 1_000].flatMap(upstream =>
      upstream < 0
        ? []
        : [
            {
              upstreamDecisionId: idAt(upstream),
              downstream: { kind: 'decision' as const, decisionId },
              origin: 'derived' as const,
              why: 'read a file',
            },
          ],
    ),
  )
  const target = decisions[1]
  if (!target) throw new Error('no target')
  return { decisions, influences, target }
}

function msOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
