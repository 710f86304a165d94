import type { DecisionRequest, InfluenceClaim } from '../../domain/actor/actor.ts'
import type { Decision } from '../../domain/decision/decision.ts'
import {
  type Influence,
  type Rest,
  restsThroughFiles,
  type Writers,
} from '../../domain/decision/influence.ts'
import type { DecisionId, PlanId } from '../../domain/ids.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Searched } from '../../domain/tool.ts'
import type { Ports } from '../ports.ts'

/**
 * Records which decisions a step's work rests on, as soon as it is known what it read, and before it counts as a writer
 * itself. Call it inside a transaction.
 */
export function recordInfluences(
  ports: Ports,
  plan: Plan,
  step: Step,
  searched: Searched | null = null,
): void {
  const { decisionId, read } = step
  if (decisionId === null) return
  recordReads(ports, plan, decisionId, { read, searched })
  if (read === 'unknown') ports.store.writes.addCommand(plan.planId, decisionId)
}

/** What went into a request through variables and results. Call it inside a transaction. */
export function recordClaims(
  ports: Ports,
  plan: Plan,
  decisionId: DecisionId | null,
  claims: readonly InfluenceClaim[],
): void {
  if (decisionId === null) return
  for (const { key, why } of claims) {
    const upstream = ports.store.decisions.findActiveByKey(plan.planId, key)
    if (upstream) addRest(ports, plan, decisionId, { on: upstream.decisionId, why })
  }
}

interface Reading {
  readonly read: Step['read']
  readonly searched: Searched | null
}

/**
 * What a plan itself has not written it has from its parent, where it began with its work: then the decision that
 * started it rests on the parent's writers, and so does the plan.
 */
function recordReads(ports: Ports, plan: Plan, decisionId: DecisionId, reading: Reading): void {
  const { found, remaining } = writersIn(ports, plan.planId, decisionId, reading)
  const numberOf = (id: DecisionId) => ports.store.decisions.find(id)?.number ?? 0
  for (const each of restsThroughFiles(found, numberOf)) addRest(ports, plan, decisionId, each)
  const above = parentOf(ports, plan)
  if (above) recordReadsOfChild(ports, plan, above, remaining)
}

function recordReadsOfChild(ports: Ports, child: Plan, { parent, spawnedBy }: Above, reading: Reading): void {
  const { found, remaining } = writersIn(ports, parent.planId, spawnedBy, reading)
  const numberOf = (id: DecisionId) => ports.store.decisions.find(id)?.number ?? 0
  for (const { on, why } of restsThroughFiles(found, numberOf)) {
    addRest(ports, parent, spawnedBy, { on, why: `its child ${child.name} ${why}` })
    const downstream = { kind: 'plan' as const, planId: child.planId }
    addInfluence(ports, parent, { upstreamDecisionId: on, downstream, origin: 'derived', why })
  }
  const above = parentOf(ports, parent)
  if (above) recordReadsOfChild(ports, parent, above, remaining)
}

interface Above {
  readonly parent: Plan
  readonly spawnedBy: DecisionId
}

/** The plan whose work this one began with. */
function parentOf(ports: Ports, plan: Plan): Above | null {
  const { startsFrom, spawnDecisionId } = plan
  const parent = startsFrom ? ports.store.plans.find(startsFrom.planId) : null
  return parent && spawnDecisionId ? { parent, spawnedBy: spawnDecisionId } : null
}

/** Who wrote it in one plan, and what of it nobody there wrote. */
function writersIn(
  ports: Ports,
  planId: PlanId,
  own: DecisionId,
  { read, searched }: Reading,
): { found: Writers; remaining: Reading } {
  const { writes } = ports.store
  const others = ({ writer }: { readonly writer: DecisionId }) => writer !== own
  const command = read === 'unknown' ? writes.beforeCommand(planId) : null
  const paths = read === 'unknown' ? [] : read
  const written = paths.flatMap(path => {
    const writer = writes.lastWriter(planId, path)
    return writer === null ? [] : [{ path, writer }]
  })
  const places = searched
    ? writes.writtenBelow(planId, searched.prefix).filter(at => searched.looksAt(at.path))
    : []
  const known = new Set<RelPath>([...written, ...places].map(({ path }) => path))
  return {
    found: {
      opened: written.filter(others),
      searched: places.filter(others),
      command: command && {
        last: command.last === own ? null : command.last,
        since: command.since.filter(writer => writer !== own),
      },
    },
    remaining: {
      read: read === 'unknown' ? read : read.filter(path => !known.has(path)),
      searched: searched && { ...searched, looksAt: path => searched.looksAt(path) && !known.has(path) },
    },
  }
}

function addRest(ports: Ports, plan: Plan, decisionId: DecisionId, { on, why }: Rest): void {
  if (on === decisionId) return
  const downstream = { kind: 'decision' as const, decisionId }
  addInfluence(ports, plan, { upstreamDecisionId: on, downstream, origin: 'derived', why })
}

/**
 * Influence never runs in a circle: what came of a decision cannot have shaped it. Such an edge is kept with that
 * reason, so that it can be told, and counts for nothing. Call it inside a transaction.
 */
export function addInfluence(ports: Ports, plan: Plan, edge: Influence): void {
  const { decisions } = ports.store
  const { upstreamDecisionId: from, downstream } = edge
  const closes = downstream.kind === 'decision' && decisions.reaches(downstream.decisionId, from)
  if (!closes) decisions.addInfluence(plan.planId, edge)
  else
    decisions.addInfluence(
      plan.planId,
      edge,
      `#${decisions.find(from)?.number ?? 0} itself rests on this decision`,
    )
}

/** What the actor says a decision rests on; a kept one may rest on more when it is come to again. Call it inside a transaction. */
export function recordRests(ports: Ports, plan: Plan, decision: Decision, request: DecisionRequest): void {
  for (const edge of influencesOn(ports, decision, request)) addInfluence(ports, plan, edge)
}

/** A later decision under the same key replaces an earlier one as the upstream that a key names. */
export function influencesOn(ports: Ports, decision: Decision, request: DecisionRequest): Influence[] {
  const claims: (InfluenceClaim & { origin: Influence['origin'] })[] = [
    ...request.dependsOn.map(key => ({
      key,
      why: `declared to depend on ${key}`,
      origin: 'declared' as const,
    })),
    ...request.influencedBy.map(claim => ({ ...claim, origin: 'derived' as const })),
  ]
  return claims.flatMap(({ key, why, origin }) => {
    const upstream = ports.store.decisions.findActiveByKey(decision.planId, key)
    if (!upstream || upstream.decisionId === decision.decisionId) return []
    const downstream = { kind: 'decision' as const, decisionId: decision.decisionId }
    return [{ upstreamDecisionId: upstream.decisionId, downstream, origin, why }]
  })
}
