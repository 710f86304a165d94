import type { DecisionId, PlanId } from '../ids.ts'
import type { Step } from '../plan/journal.ts'
import type { RelPath } from '../sandbox/rel-path.ts'

/** One influence edge: the upstream decision shaped the downstream one. */
export interface Influence {
  readonly upstreamDecisionId: DecisionId
  readonly downstream:
    | { readonly kind: 'decision'; readonly decisionId: DecisionId }
    | { readonly kind: 'plan'; readonly planId: PlanId }
  /** declared: the actor said so. derived: something read was written or set under the upstream decision. */
  readonly origin: 'declared' | 'derived'
  /** e.g. "read src/a.ts, written under #4". */
  readonly why: string
}

type Work = Pick<Step, 'decisionId' | 'read' | 'written'>

/**
 * What a step's decision rests on through files: the decisions under which the paths it read were last written. Nobody
 * sees what a command reads, so it rests on everything written before. `earlier` is the work that still holds, oldest
 * first; `numberOf` gives a decision's number.
 */
export function influencesThroughFiles(
  step: Work,
  earlier: readonly Work[],
  numberOf: (decisionId: DecisionId) => number,
): Influence[] {
  const { decisionId, read } = step
  if (decisionId === null) return []
  const found =
    read === 'unknown'
      ? everyWriter(earlier, numberOf)
      : read.flatMap(path => lastWriters(path, earlier, numberOf))
  const others = found.filter(({ writer }) => writer !== decisionId)
  const firsts = others.filter(
    ({ writer }, index) => index === others.findIndex(each => each.writer === writer),
  )
  return firsts.map(({ writer, why }) => ({
    upstreamDecisionId: writer,
    downstream: { kind: 'decision', decisionId },
    origin: 'derived',
    why,
  }))
}

interface Writer {
  readonly writer: DecisionId
  readonly why: string
}

function everyWriter(earlier: readonly Work[], numberOf: (decisionId: DecisionId) => number): Writer[] {
  return earlier.flatMap(({ decisionId, written }) => {
    if (decisionId === null || (written !== 'unknown' && written.length === 0)) return []
    return [{ writer: decisionId, why: `ran a command on what was written under #${numberOf(decisionId)}` }]
  })
}

/** Back in time to the step that surely wrote the path; commands on the way may have written it. */
function lastWriters(
  path: RelPath,
  earlier: readonly Work[],
  numberOf: (decisionId: DecisionId) => number,
): Writer[] {
  const writers: Writer[] = []
  for (const { decisionId, written } of [...earlier].reverse()) {
    const surely = written !== 'unknown' && written.includes(path)
    if (decisionId !== null && (surely || written === 'unknown')) {
      const how = surely ? 'written' : 'perhaps written by a command'
      writers.push({ writer: decisionId, why: `read ${path}, ${how} under #${numberOf(decisionId)}` })
    }
    if (surely) break
  }
  return writers
}

/** Influence never runs in a circle: what came of a decision cannot have shaped it. */
export function closesCircle(influences: readonly Influence[], edge: Influence): boolean {
  if (edge.downstream.kind === 'plan') return false
  const dependents = byUpstream(influences)
  // Grows while it is walked.
  const seen = new Set<DecisionId>([edge.downstream.decisionId])
  for (const at of seen) {
    if (at === edge.upstreamDecisionId) return true
    for (const { downstream } of dependents.get(at) ?? [])
      if (downstream.kind === 'decision') seen.add(downstream.decisionId)
  }
  return false
}

/** The edges that leave each decision, so that a walk over a large tree looks at every edge once. */
export function byUpstream(influences: readonly Influence[]): Map<DecisionId, Influence[]> {
  return Map.groupBy(influences, edge => edge.upstreamDecisionId)
}
