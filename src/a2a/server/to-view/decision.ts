import type { DecisionMention } from '../../../application/backend/correction.ts'
import type { Answer, Explanation, Relation, Tree } from '../../../application/backend/decision.ts'
import type { Decision, GateConfidence } from '../../../domain/decision/decision.ts'
import type { Influence } from '../../../domain/decision/influence.ts'
import { flagOf } from '../../../domain/gate/automation.ts'
import type {
  DecisionView,
  EdgeView,
  ExplainView,
  RelationView,
  TreeView,
} from '../../protocol/views/decision.ts'
import { changedFileView, stepView } from './journal.ts'
import { childPlanView } from './plan.ts'

export function decisionView(decision: Decision): DecisionView {
  const superseded = decision.status.kind === 'superseded' ? decision.status : null
  return {
    decision_id: decision.decisionId,
    number: decision.number,
    parent_decision_id: decision.parentDecisionId,
    plan_id: decision.planId,
    type: decision.type,
    phase: decision.phase,
    status: decision.status.kind,
    superseded_reason: superseded?.reason ?? null,
    superseded_why: superseded?.why ?? null,
    superseded_by: superseded?.supersededBy ?? null,
    key: decision.key,
    question: decision.question,
    chosen_option: { ...decision.chosenOption },
    alternatives: decision.alternatives.map(option => ({ ...option })),
    confidence: decision.confidence,
    gate_confidence: decision.gateConfidence && confidenceView(decision.gateConfidence),
    decided_by: decision.decidedBy,
    rationale: decision.rationale,
    attempt: decision.attempt,
    is_correction: decision.correction !== null,
    corrects_decision_id: decision.correction?.correctsDecisionId ?? null,
    correction_id: decision.correction?.correctionId ?? null,
    changes: decision.changes,
    checkpoint_id: decision.checkpointId,
    created_at: decision.createdAt,
  }
}

export function edgeView({ upstreamDecisionId, downstream, origin, why }: Influence): EdgeView {
  return {
    upstream_decision_id: upstreamDecisionId,
    downstream_ref: downstream.kind === 'decision' ? downstream.decisionId : downstream.planId,
    dependency_type: downstream.kind,
    origin,
    why,
  }
}

export function treeView(tree: Tree): TreeView {
  return {
    plan_id: tree.plan.planId,
    decisions: tree.decisions.map(decisionView),
    edges: tree.influences.map(edgeView),
    plans: tree.plans.map(childPlanView),
  }
}

export function explainView(explanation: Explanation): ExplainView {
  return {
    decision: decisionView(explanation.decision),
    plan_name: explanation.plan.name,
    arithmetic: [...explanation.arithmetic],
    standing: explanation.standing,
    upstream: explanation.upstream.map(relationView),
    downstream: explanation.downstream.map(relationView),
    not_counted: explanation.notCounted.map(each => ({ ...relationView(each), reason: each.reason })),
    steps: explanation.steps.map(stepView),
    answers: explanation.answers.map(answerView),
    files: explanation.files.map(changedFileView),
  }
}

function answerView({
  step,
  model,
  tokens,
  usd,
  beginning,
  messageId,
}: Answer): ExplainView['answers'][number] {
  const { stepId, status } = step
  return { step_id: stepId, model, status, tokens, usd, beginning, message_id: messageId }
}

function relationView({ planId, decisionId, number, title, origin, why }: Relation): RelationView {
  return { plan_id: planId, decision_id: decisionId, number, question: title, origin, why }
}

export function mentionView({ decisionId, number, question, why }: DecisionMention) {
  return { decision_id: decisionId, number, question, why }
}

export function confidenceView({
  gate,
  ...numbers
}: GateConfidence): NonNullable<DecisionView['gate_confidence']> {
  return { flag: flagOf(gate), ...numbers }
}
