import { createHash } from 'node:crypto'
import type { DecisionLog } from '../../../application/decision-log/gather-log.ts'
import { allSteps, everyStep } from '../../../domain/actor/recipe-walk.ts'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { flagOf } from '../../../domain/gate/automation.ts'
import type { Gate } from '../../../domain/gate/gate.ts'
import { knownUsd, nothingSpent, type Spending } from '../../../domain/guardrails/charge.ts'
import type { Step } from '../../../domain/plan/journal.ts'
import { phaseOf, stateOf } from '../../../domain/plan/lifecycle.ts'
import type { Plan } from '../../../domain/plan/plan.ts'
import { redact } from '../../../domain/redact.ts'
import {
  DECISION_LOG,
  DECISION_LOG_VERSION,
  type DecisionLogView,
} from '../../protocol/views/decision-log.ts'
import { correctionEventView } from '../to-view/correction.ts'
import { decisionView } from '../to-view/decision.ts'
import { gateView } from '../to-view/gate.ts'
import { activeInvariantView } from '../to-view/invariant.ts'
import { changedFileView, stepView } from '../to-view/journal.ts'

/** The log as it leaves the machine: without secrets, and with the checksum by which a later change shows. */
export function toDocument(log: DecisionLog): DecisionLogView {
  const { value, redactions } = redact(bodyOf(log))
  const unsigned = { ...value, redactions: redactions.map(each => ({ ...each })) }
  return { ...unsigned, checksum: checksumOf(unsigned) }
}

export function checksumOf(given: object): string {
  const document = Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'checksum'))
  return `sha256:${createHash('sha256').update(canonicalJson(document)).digest('hex')}`
}

function bodyOf(log: DecisionLog): Omit<DecisionLogView, 'checksum' | 'redactions'> {
  const byId = new Map(log.plans.map(plan => [plan.planId, plan]))
  const gates = log.gates.map(gateView)
  // Decisions carry their own comparison.
  const decided = new Set(log.decisions.map(({ planId, question }) => `${planId} ${question}`))
  return {
    schema: DECISION_LOG,
    version: DECISION_LOG_VERSION,
    exported_at: log.exportedAt,
    plan_id: log.plans[0].planId,
    plans: log.plans.map(plan => planEntry(plan, log.spending.get(plan.planId) ?? nothingSpent)),
    decisions: log.decisions.map(decisionView),
    passes: log.judgements
      .filter(({ outcome, planId, about }) => outcome === 'passed' && !decided.has(`${planId} ${about}`))
      .map(({ planId, about, confidence, at }) => ({
        plan_id: planId,
        flag: flagOf(confidence.gate),
        about,
        confidence: confidence.effective,
        threshold: confidence.threshold,
        at,
      })),
    gates,
    stops: [
      ...log.gates.flatMap(gate => stopOf(gate, log.underGuard)),
      ...log.denied.map(({ planId, eventType, reason }) => ({
        plan_id: planId,
        gate_id: null,
        kind: eventType,
        reason,
      })),
    ],
    corrections: log.corrections.map(correctionEventView),
    validations: log.steps.flatMap(step => validationOf(step, byId.get(step.planId))),
    steps: log.steps.map(step => {
      const { output: _, ...entry } = stepView(step)
      return entry
    }),
    files: log.files.ok ? log.files.value.map(changedFileView) : null,
    files_problem: log.files.ok ? null : log.files.failure.message,
  }
}

function planEntry(plan: Plan, spending: Spending): DecisionLogView['plans'][number] {
  return {
    plan_id: plan.planId,
    name: plan.name,
    parent_plan_id: plan.parentPlanId,
    spawn_decision_id: plan.spawnDecisionId,
    action: plan.action.name,
    description: plan.action.description,
    definition_of_done: plan.action.definitionOfDone,
    args: plan.args,
    guidance: [...plan.guidance],
    strategy: plan.strategy && {
      text: plan.strategy.text,
      revision: plan.strategy.revision,
      edited_by: plan.strategy.editedBy,
    },
    project: plan.project.name,
    profile: { name: plan.profile.name, source: plan.profileSource },
    phase: phaseOf(plan.position),
    state: stateOf(plan.position),
    reason: plan.reason,
    attempt: plan.attempt,
    cost_usd: knownUsd(spending),
    tokens: spending.spentTokens,
    invariants: plan.invariants.map(activeInvariantView),
    preflight: plan.preflight?.map(each => ({ ...each, findings: [...each.findings] })) ?? null,
    created_at: plan.createdAt,
    started_at: plan.startedAt,
    ended_at: plan.endedAt,
  }
}

function stopOf(
  { planId, gateId, kind, reason }: Gate,
  underGuard: DecisionLog['underGuard'],
): DecisionLogView['stops'] {
  const stopped = underGuard.has(gateId) ? 'guard' : kind
  if (stopped !== 'guard' && stopped !== 'budget') return []
  return [{ plan_id: planId, gate_id: gateId, kind: stopped, reason }]
}

function validationOf(step: Step, plan: Plan | undefined): DecisionLogView['validations'] {
  const { outcome } = step
  if (step.kind !== 'validate' || outcome?.kind !== 'validated') return []
  const { report } = outcome
  const command = report?.command ?? String(step.input['command'] ?? '')
  return [
    {
      plan_id: step.planId,
      step: step.path,
      validation: report?.validation ?? null,
      command,
      required: report ? report.mode === 'required' : isRequired(plan, command),
      result: outcome.result,
      message: outcome.message,
      at: step.endedAt,
    },
  ]
}

/** Of a run that has no report of its own: one that the recipe names as informational is; whatever else ran counts. */
function isRequired(plan: Plan | undefined, command: string): boolean {
  const recipe = plan?.action.recipe
  const named = recipe ? [...everyStep(allSteps(recipe))] : []
  const own = named.filter(step => step.kind === 'validate' && step.command === command)
  return own.length === 0 || own.some(step => step.kind === 'validate' && step.mode === 'required')
}
