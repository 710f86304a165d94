import fc from 'fast-check'
import { expect, it } from 'vitest'
import { affectedBy } from '../../../src/domain/decision/correction.ts'
import type { Decision } from '../../../src/domain/decision/decision.ts'
import type { DecisionWeb, Influence } from '../../../src/domain/decision/influence.ts'
import { asId, type PlanId } from '../../../src/domain/ids.ts'
import { aDecision, newId } from '../../support/records.ts'

const planId = asId<PlanId>('01JZZZZZZZZZZZZZZZZZZZZZZZ')

it('a correction affects what hangs below the target or rests on it, over both kinds of edge, and nothing else', () => {
  fc.assert(
    fc.property(randomTree, ({ decisions, influences, target }) => {
      const affected = affectedBy(target, decisions, webOf(decisions, influences))

      const found = new Set(affected.decisions.map(({ decision }) => decision.decisionId))
      expect(found).toEqual(plainlyAffected(target, decisions, influences))
      expect(affected.decisions[0]?.decision).toBe(target)
      expect(affected.decisions.every(({ why }) => why !== '')).toBe(true)
    }),
    { numRuns: 300 },
  )
})

function webOf(decisions: readonly Decision[], influences: readonly Influence[]): DecisionWeb {
  const numberOf = (id: string | null) => decisions.find(({ decisionId }) => decisionId === id)?.number ?? 0
  return {
    parents: decisions.map(({ parentDecisionId }) => numberOf(parentDecisionId)),
    edges: influences.map(({ upstreamDecisionId, downstream, why }) => ({
      upstream: numberOf(upstreamDecisionId),
      downstream: downstream.kind === 'plan' ? downstream.planId : numberOf(downstream.decisionId),
      why,
    })),
  }
}

/** Parents and upstreams come before their dependents, as they do in time; some decisions are superseded. */
const randomTree = fc
  .array(
    fc.record({
      parent: fc.nat(),
      rests: fc.array(fc.nat(), { maxLength: 2 }),
      superseded: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .chain(rows => fc.record({ rows: fc.constant(rows), target: fc.nat(rows.length - 1) }))
  .map(({ rows, target }) => {
    const ids = rows.map(() => newId<Decision['decisionId']>())
    const idBefore = (index: number, wish: number) => (index === 0 ? null : (ids[wish % index] ?? null))
    const decisions = rows.map((row, index) =>
      aDecision({
        planId,
        decisionId: ids[index] ?? newId(),
        number: index + 1,
        parentDecisionId: idBefore(index, row.parent),
        status:
          row.superseded === 0 && index !== target
            ? { kind: 'superseded', reason: 'correction', supersededBy: null, correctionId: null, why: null }
            : { kind: 'active' },
      }),
    )
    const influences = rows.flatMap((row, index) =>
      row.rests.flatMap((wish): Influence[] => {
        const [upstream, downstream] = [idBefore(index, wish), ids[index]]
        if (!upstream || !downstream) return []
        const reached = { kind: 'decision' as const, decisionId: downstream }
        return [{ upstreamDecisionId: upstream, downstream: reached, origin: 'derived', why: 'read a file' }]
      }),
    )
    const chosen = decisions[target]
    if (!chosen) throw new Error('no target')
    return { decisions, influences, target: chosen }
  })

/** The same in its plainest form: add whatever hangs on something affected, until nothing more is added. */
function plainlyAffected(
  target: Decision,
  decisions: readonly Decision[],
  influences: readonly Influence[],
): Set<string> {
  const affected = new Set<string>([target.decisionId])
  for (let before = 0; before !== affected.size; ) {
    before = affected.size
    for (const { decisionId, parentDecisionId, status } of decisions) {
      const rests = influences.some(
        edge =>
          edge.downstream.kind === 'decision' &&
          edge.downstream.decisionId === decisionId &&
          affected.has(edge.upstreamDecisionId),
      )
      const hangs = parentDecisionId !== null && affected.has(parentDecisionId)
      if (status.kind === 'active' && (rests || hangs)) affected.add(decisionId)
    }
  }
  return affected
}
