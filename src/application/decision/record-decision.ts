import type { DecisionRequest, InfluenceClaim } from '../../domain/actor/actor.ts'
import type { Decision, DecisionOption, GateConfidence } from '../../domain/decision/decision.ts'
import type { Influence } from '../../domain/decision/influence.ts'
import { asId, type CheckpointId, type DecisionId } from '../../domain/ids.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { Ports } from '../ports.ts'
import { addInfluence } from './record-influences.ts'

export interface Recording {
  readonly request: DecisionRequest
  readonly optionId: string
  readonly decidedBy: 'actor' | 'human'
  readonly note: string | null
  readonly confidence: GateConfidence | null
  readonly cursor: Cursor
  readonly checkpointId: CheckpointId | null
}

/** Records what an actor or a person chose, with everything known at this moment. Call it inside a transaction. */
export function recordDecision(ports: Ports, plan: Plan, recording: Recording): Decision {
  const { request, cursor } = recording
  const known = ports.store.decisions.listByPlan(plan.planId).filter(isActive)
  const chosen = optionOf(request, recording.optionId)
  const decision: Decision = {
    decisionId: asId(ports.newId()),
    planId: plan.planId,
    number: ports.store.decisions.nextNumber(plan.planId),
    parentDecisionId: parentOf(request, known),
    type: request.type,
    phase: cursor.phase,
    key: request.key,
    question: request.question,
    chosenOption: chosen,
    alternatives: request.options.filter(option => option.id !== chosen.id),
    confidence: request.confidence,
    gateConfidence: recording.confidence,
    decidedBy: recording.decidedBy,
    rationale: rationaleOf(recording),
    contextSnapshot: snapshotOf(ports, plan, cursor),
    attempt: plan.attempt,
    correction: cursor.correction,
    status: { kind: 'active' },
    changes: null,
    checkpointId: recording.checkpointId,
    createdAt: ports.clock.now(),
  }
  saveDecision(ports, plan, decision, influencesOn(decision, request, known))
  return decision
}

/** A decision that the system or a person recorded directly; no actor chose it and no gate judges it. */
export function recordDirectly(
  ports: Ports,
  plan: Plan,
  entry: Pick<
    Decision,
    'type' | 'phase' | 'question' | 'chosenOption' | 'rationale' | 'parentDecisionId' | 'decidedBy'
  > & {
    readonly correction?: Decision['correction']
    readonly checkpointId?: Decision['checkpointId']
  },
): Decision {
  const decision: Decision = {
    decisionId: asId(ports.newId()),
    planId: plan.planId,
    number: ports.store.decisions.nextNumber(plan.planId),
    key: null,
    alternatives: [],
    confidence: null,
    gateConfidence: null,
    contextSnapshot: snapshotOf(ports, plan, ports.store.cursors.get(plan.planId)),
    attempt: plan.attempt,
    status: { kind: 'active' },
    changes: null,
    checkpointId: null,
    createdAt: ports.clock.now(),
    correction: null,
    ...entry,
  }
  saveDecision(ports, plan, decision, [])
  return decision
}

function saveDecision(ports: Ports, plan: Plan, decision: Decision, influences: readonly Influence[]): void {
  ports.store.decisions.insert(decision)
  for (const influence of influences) addInfluence(ports, plan, influence)
  ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'DECISION_RECORDED', decision, influences })
}

/** The actor's reasons are not those of a person who chose otherwise. */
function rationaleOf({ request, optionId, note }: Recording): string {
  if (optionId === request.chosen) return [request.rationale, note].filter(Boolean).join('\n')
  const proposed = optionOf(request, request.chosen).label
  return note ?? `a person chose this; the actor had proposed: ${proposed}`
}

function optionOf(request: DecisionRequest, optionId: string): DecisionOption {
  const found = request.options.find(option => option.id === optionId)
  return found ?? { id: optionId, label: optionId, rationale: null }
}

function parentOf(request: DecisionRequest, known: readonly Decision[]): DecisionId | null {
  const named = known.findLast(decision => decision.key === request.parentKey && decision.key !== null)
  const root = known.find(decision => decision.type === 'prompt_definition')
  return (named ?? root)?.decisionId ?? null
}

/** A later decision under the same key replaces an earlier one as the upstream that a key names. */
function influencesOn(decision: Decision, request: DecisionRequest, known: readonly Decision[]): Influence[] {
  const claims: (InfluenceClaim & { origin: Influence['origin'] })[] = [
    ...request.dependsOn.map(key => ({
      key,
      why: `declared to depend on ${key}`,
      origin: 'declared' as const,
    })),
    ...request.influencedBy.map(claim => ({ ...claim, origin: 'derived' as const })),
  ]
  return claims.flatMap(({ key, why, origin }) => {
    const upstream = known.findLast(candidate => candidate.key === key)
    if (!upstream) return []
    const downstream = { kind: 'decision' as const, decisionId: decision.decisionId }
    return [{ upstreamDecisionId: upstream.decisionId, downstream, origin, why }]
  })
}

function snapshotOf(ports: Ports, plan: Plan, cursor: Cursor | null): Decision['contextSnapshot'] {
  const actorStateRef = cursor?.stateRef ?? ports.store.blobs.put({})
  return {
    actorStateRef,
    hotContextHash: ports.digest(JSON.stringify([actorStateRef, plan.args, plan.invariants, plan.guidance])),
    relevantResources: [plan.project.name],
  }
}
