import type { DecisionRequest, Outcome } from '../../domain/actor/actor.ts'
import { gateForDecision, type Verdict } from '../../domain/gate/confidence.ts'
import type { GateAnswer } from '../../domain/gate/gate.ts'
import { asId } from '../../domain/ids.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { answerTo, ask, grantFor, isRevision } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import type { Next } from '../plan/next.ts'
import type { PlanSession } from '../plan/session.ts'
import { recordDecision } from './record-decision.ts'
import { recordGuidance } from './record-guidance.ts'
import { insertCheckpoint, type Recorded } from './take-checkpoint.ts'

/**
 * An actor wants a decision recorded: by itself where the profile lets it, by a person otherwise. `recorded` is the
 * sandbox as it was brought to record just before, which becomes the decision's checkpoint.
 */
export function settleDecision(
  session: PlanSession,
  plan: Plan,
  request: DecisionRequest,
  recorded: Recorded,
): Next {
  const { ports } = session
  const key = requestKey(plan, recorded.cursor)
  const answer = answerTo(ports, plan, key)
  if (answer) return follow(session, request, recorded, answer)
  const verdict = verdictOn(session, plan, request)
  const revised = isRevision(ports, plan, previousKey(plan, recorded.cursor))
  const grant =
    verdict && grantFor(ports, plan, { gate: verdict.gate, decisionType: request.type, tool: null })
  if (request.unclearGuidance === null && !revised && (verdict === null || verdict.passes || grant)) {
    const note = !grant || verdict?.passes ? null : `passed by the standing approval of ${grant.grantedBy}`
    return commit(session, request, recorded, { optionId: request.chosen, decidedBy: 'actor', note, verdict })
  }
  return ask(ports, {
    kind: 'decision',
    requestKey: key,
    question: request.question,
    subject: {
      kind: 'decision',
      type: request.type,
      proposed: request.options.find(option => option.id === request.chosen) ?? {
        id: request.chosen,
        label: request.chosen,
        rationale: null,
      },
      rationale: request.rationale,
      guidance: request.unclearGuidance,
    },
    options: request.options.map(({ id, label, rationale }) => ({
      id,
      label,
      description: rationale,
      effect: 'approve',
    })),
    reason: reasonToAsk(request, revised),
    confidence: verdict,
  })
}

function reasonToAsk(request: DecisionRequest, revised: boolean): string | null {
  if (request.unclearGuidance !== null) return 'the guidance names none of the options; choose one'
  return revised ? 'a revised proposal needs an approval of its own' : null
}

/** Names the request that an actor waits on; gates and journal rows carry it. */
export function requestKey(plan: Plan, cursor: Cursor): string {
  return `${plan.planId}:${plan.attempt}:${cursor.phase}:${cursor.turn}`
}

function previousKey(plan: Plan, cursor: Cursor): string {
  return requestKey(plan, { ...cursor, turn: cursor.turn - 1 })
}

function follow(
  session: PlanSession,
  request: DecisionRequest,
  recorded: Recorded,
  answer: GateAnswer,
): Next {
  switch (answer.decision) {
    case 'approve': {
      const optionId = answer.optionId ?? request.chosen
      const plan = session.ports.store.plans.find(session.planId)
      const verdict = plan ? verdictOn(session, plan, request) : null
      return commit(session, request, recorded, { optionId, decidedBy: 'human', note: answer.note, verdict })
    }
    case 'reject':
      return tell(session, recorded, {
        kind: 'decision_rejected',
        optionId: request.chosen,
        note: answer.note,
      })
    case 'request_changes':
      return guide(session, recorded.cursor, request.question, answer)
  }
}

/** The actor hears what a person wants changed; its next request is a new revision. */
export function guide(session: PlanSession, cursor: Cursor, question: string, answer: GateAnswer): Next {
  const guidance = answer.guidance ?? ''
  return {
    event: null,
    commit: plan => {
      const rationale = 'changes were requested at the gate'
      recordGuidance(session.ports, plan, { phase: cursor.phase, question, rationale, words: guidance })
      putOutcome(session, cursor, { kind: 'guided', guidance })
    },
  }
}

function commit(
  session: PlanSession,
  request: DecisionRequest,
  recorded: Recorded,
  made: { optionId: string; decidedBy: 'actor' | 'human'; note: string | null; verdict: Verdict | null },
): Next {
  return {
    event: null,
    commit: plan => {
      const { ports } = session
      const modified = recorded.cursor.phase === 'execute' && plan.changes !== null
      const decision = recordDecision(ports, plan, {
        request,
        optionId: made.optionId,
        decidedBy: made.decidedBy,
        note: made.note,
        confidence: made.verdict ? withoutVerdict(made.verdict) : null,
        cursor: recorded.cursor,
        checkpointId: modified ? asId(ports.newId()) : null,
      })
      insertCheckpoint(ports, plan, decision, recorded.state)
      putOutcome(
        session,
        { ...recorded.cursor, decisionId: decision.decisionId },
        {
          kind: 'decided',
          decisionId: decision.decisionId,
          optionId: made.optionId,
        },
      )
    },
  }
}

function tell(session: PlanSession, recorded: Recorded, outcome: Outcome): Next {
  return { event: null, commit: () => putOutcome(session, recorded.cursor, outcome) }
}

/** The pending request is answered: the actor's next turn is due. */
export function putOutcome(session: PlanSession, cursor: Cursor, outcome: Outcome): void {
  session.ports.store.cursors.put({ ...cursor, pending: null, outcome })
}

function verdictOn(session: PlanSession, plan: Plan, request: DecisionRequest): Verdict | null {
  const phase = plan.position.startsWith('strategize') ? 'strategize' : 'execute'
  const gate = gateForDecision(request.type, phase)
  if (!gate) return null
  return judgeOperation(session.ports, plan, { gate, decisionType: request.type, stated: request.confidence })
}

function withoutVerdict({ passes: _, ...confidence }: Verdict) {
  return confidence
}
