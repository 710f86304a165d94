import type { DecisionRequest } from '../../domain/actor/actor.ts'
import type { Decision, DecisionOption, GateConfidence } from '../../domain/decision/decision.ts'
import type { Influence } from '../../domain/decision/influence.ts'
import { asId, type CheckpointId, type DecisionId } from '../../domain/ids.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { recordJudgement } from '../gate/record-judgement.ts'
import type { Ports } from '../ports.ts'
import { addInfluence, influencesOn } from './record-influences.ts'

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
  const chosen = optionOf(request, recording.optionId)
  const decision: Decision = {
    decisionId: asId(ports.newId()),
    planId: plan.planId,
    number: ports.store.decisions.nextNumber(plan.planId),
    parentDecisionId: parentOf(ports, plan, request),
    type: request.type,
    phase: cursor.phase,
    key: request.key,
    question: request.question,
    proposed: request.chosen,
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
    standing: { place: ports.store.decisions.nextPlace(plan.planId), actorStateRef: cursor.stateRef },
    changes: null,
    checkpointId: recording.checkpointId,
    createdAt: ports.clock.now(),
  }
  const { confidence } = recording
  if (confidence && recording.decidedBy === 'actor')
    recordJudgement(ports, plan, { about: decision.question, confidence, outcome: 'passed' })
  saveDecision(ports, plan, decision, influencesOn(ports, decision, request))
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
    readonly alternatives?: Decision['alternatives']
    readonly correction?: Decision['correction']
    readonly checkpointId?: Decision['checkpointId']
    readonly gateConfidence?: Decision['gateConfidence']
  },
): Decision {
  const contextSnapshot = snapshotOf(ports, plan, ports.store.cursors.get(plan.planId))
  const decision: Decision = {
    decisionId: asId(ports.newId()),
    planId: plan.planId,
    number: ports.store.decisions.nextNumber(plan.planId),
    key: null,
    proposed: null,
    alternatives: [],
    confidence: null,
    gateConfidence: null,
    contextSnapshot,
    attempt: plan.attempt,
    status: { kind: 'active' },
    standing: {
      place: ports.store.decisions.nextPlace(plan.planId),
      actorStateRef: contextSnapshot.actorStateRef,
    },
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

function parentOf(ports: Ports, plan: Plan, { parentKey }: DecisionRequest): DecisionId | null {
  const named = parentKey === null ? null : ports.store.decisions.findActiveByKey(plan.planId, parentKey)
  return named?.decisionId ?? rootOf(ports, plan)
}

/** The plan's first decision; everything that names no other parent is below it. */
export function rootOf(ports: Ports, { planId }: Plan): DecisionId | null {
  return ports.store.decisions.findByNumber(planId, 1)?.decisionId ?? null
}

function snapshotOf(ports: Ports, plan: Plan, cursor: Cursor | null): Decision['contextSnapshot'] {
  const actorStateRef = cursor?.stateRef ?? ports.store.blobs.put({})
  const invariants = plan.invariants.map(({ text }) => text)
  return {
    actorStateRef,
    hotContextHash: ports.digest(JSON.stringify([actorStateRef, plan.args, invariants, plan.guidance])),
    relevantResources: [plan.project.name],
  }
}
