import type { DecisionRequest } from '../../domain/actor/actor.ts'
import { gateForDecision, type Verdict } from '../../domain/gate/confidence.ts'
import type { GateAnswer } from '../../domain/gate/gate.ts'
import { asId } from '../../domain/ids.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import { answerTo, ask, grantFor, isRevision } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import type { Next } from '../plan/next.ts'
import { guide, putOutcome, requestKey, type Turn, tell } from '../plan/turn.ts'
import { recordDecision } from './record-decision.ts'
import { insertCheckpoint } from './take-checkpoint.ts'

/**
 * An actor wants a decision recorded: by itself where the profile lets it, by a person otherwise. `state` is the
 * sandbox as it was brought to record just before, which becomes the decision's checkpoint.
 */
export function settleDecision(turn: Turn, request: DecisionRequest, state: SandboxState): Next {
  const { plan } = turn
  const { ports } = turn.session
  const key = requestKey(turn)
  const wanted: Wanted = { turn, request, state }
  const answer = answerTo(ports, plan, key)
  if (answer) return follow(wanted, answer)
  const verdict = verdictOn(turn, request)
  const revised = isRevision(ports, plan, previousKey(turn))
  const grant =
    verdict && grantFor(ports, plan, { gate: verdict.gate, decisionType: request.type, tool: null })
  if (request.unclearGuidance === null && !revised && (verdict === null || verdict.passes || grant)) {
    const note = !grant || verdict?.passes ? null : `passed by the standing approval of ${grant.grantedBy}`
    return commit(wanted, { optionId: request.chosen, decidedBy: 'actor', note, verdict })
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

function previousKey({ plan, cursor }: Turn): string {
  return requestKey({ plan, cursor: { ...cursor, turn: cursor.turn - 1 } })
}

interface Wanted {
  readonly turn: Turn
  readonly request: DecisionRequest
  readonly state: SandboxState
}

function follow(wanted: Wanted, answer: GateAnswer): Next {
  const { turn, request } = wanted
  switch (answer.decision) {
    case 'approve': {
      const optionId = answer.optionId ?? request.chosen
      const verdict = verdictOn(turn, request)
      return commit(wanted, { optionId, decidedBy: 'human', note: answer.note, verdict })
    }
    case 'reject':
      return tell(turn, { kind: 'decision_rejected', optionId: request.chosen, note: answer.note })
    case 'request_changes':
      return guide(turn, request.question, answer)
  }
}

interface Made {
  readonly optionId: string
  readonly decidedBy: 'actor' | 'human'
  readonly note: string | null
  readonly verdict: Verdict | null
}

function commit({ turn, request, state }: Wanted, { optionId, decidedBy, note, verdict }: Made): Next {
  const { session, cursor } = turn
  return {
    event: null,
    commit: plan => {
      const { ports } = session
      const modified = cursor.phase === 'execute' && plan.changes !== null
      const decision = recordDecision(ports, plan, {
        request,
        optionId,
        decidedBy,
        note,
        confidence: verdict ? withoutVerdict(verdict) : null,
        cursor,
        checkpointId: modified ? asId(ports.newId()) : null,
      })
      insertCheckpoint(ports, plan, decision, state)
      const { decisionId } = decision
      putOutcome(
        session,
        { ...cursor, decisionId, underKept: false },
        { kind: 'decided', decisionId, optionId },
      )
    },
  }
}

function verdictOn({ session, plan, cursor }: Turn, request: DecisionRequest): Verdict | null {
  const gate = gateForDecision(request.type, cursor.phase)
  if (!gate) return null
  return judgeOperation(session.ports, plan, { gate, decisionType: request.type, stated: request.confidence })
}

function withoutVerdict({ passes: _, ...confidence }: Verdict) {
  return confidence
}
