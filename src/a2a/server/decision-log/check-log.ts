/**
 * Holds a decision log against the rules of whoever relies on it, e.g. a pipeline. It reads the exported document and
 * nothing else, so a file and a plan are judged alike.
 */
import type { DecisionLogView, LogRules, LogVerdict, logPhases } from '../../protocol/views/decision-log.ts'

type Violation = LogVerdict['violations'][number]
type Found = Omit<Violation, 'rule' | 'plan_name'> & { readonly planId: string }

export function checkLog(log: DecisionLogView, rules: LogRules): LogVerdict {
  const { max_auto_below, max_cost } = rules
  const asked: [string, boolean, () => Found[]][] = [
    ['max-auto-below', max_auto_below !== undefined, () => belowLimit(log, max_auto_below ?? 0)],
    ['require-approved', rules.require_approved.length > 0, () => notApproved(log, rules.require_approved)],
    ['require-validations', rules.require_validations, () => notValidated(log)],
    ['no-superseded-unanswered', rules.no_superseded_unanswered, () => unanswered(log)],
    ['max-cost', max_cost !== undefined, () => tooCostly(log, max_cost ?? 0)],
  ]
  const names = new Map(log.plans.map(({ plan_id, name }) => [plan_id, name]))
  const active = asked.filter(([, isAsked]) => isAsked)
  const violations = active.flatMap(([rule, , find]) =>
    find().map(({ planId, ...found }) => ({ rule, plan_name: names.get(planId) ?? planId, ...found })),
  )
  return {
    plan_id: log.plan_id,
    plan_name: names.get(log.plan_id) ?? log.plan_id,
    passed: violations.length === 0,
    rules: active.map(([rule]) => rule),
    violations,
  }
}

function belowLimit({ decisions, passes }: DecisionLogView, limit: number): Found[] {
  const decided = decisions.filter(
    ({ status, decided_by, gate_confidence }) =>
      status === 'active' && decided_by !== 'human' && (gate_confidence?.effective ?? 1) < limit,
  )
  return [
    ...decided.map(({ plan_id, decision_id, number, question, chosen_option, gate_confidence }) => ({
      planId: plan_id,
      decision_id,
      number,
      message: `"${question}" → ${chosen_option.label} passed by itself at ${score(gate_confidence?.effective)}, below ${score(limit)}`,
    })),
    ...passes
      .filter(({ confidence }) => confidence < limit)
      .map(({ plan_id, about, confidence }) => ({
        planId: plan_id,
        ...noDecision,
        message: `to ${about} passed by itself at ${score(confidence)}, below ${score(limit)}`,
      })),
  ]
}

const noDecision = { decision_id: null, number: null }

function score(value: number | undefined): string {
  return (value ?? 0).toFixed(2)
}

type LogPhase = (typeof logPhases)[number]

/** The flags of the gates before the phases: the wire names of automation gates. */
const flagBefore: Readonly<Record<LogPhase, string>> = {
  strategize: 'decompose_task',
  execute: 'create_tool',
  apply: 'select_tool',
}

/** The last word counts: what a person approved and what passed by itself afterwards is not approved. */
function notApproved(log: DecisionLogView, phases: readonly LogPhase[]): Found[] {
  const planId = log.plan_id
  return phases.flatMap(phase => {
    const flag = flagBefore[phase]
    const gate = log.gates.findLast(
      each => each.plan_id === planId && each.kind === 'phase' && each.flag === flag,
    )
    const passed = log.passes.findLast(each => each.plan_id === planId && each.flag === flag)
    const isApproved = gate?.status === 'resolved' && gate.answer?.decision === 'approve'
    const isOlder = passed !== undefined && passed.at > (gate?.closed_at ?? '')
    if (isApproved && !isOlder) return []
    const how = isOlder
      ? `passed by itself under the profile`
      : gate?.status === 'open'
        ? 'waits for an answer'
        : gate
          ? 'was not approved'
          : 'was never asked about'
    return [{ planId, ...noDecision, message: `going on to ${phase} ${how}` }]
  })
}

/** The last run of a check counts, wherever it was asked for: what failed in a step may have passed at the end. */
function notValidated({ validations, plan_id }: DecisionLogView): Found[] {
  if (validations.length === 0) return [{ planId: plan_id, ...noDecision, message: 'no validation ran' }]
  const last = new Map(validations.map(each => [`${each.plan_id} ${nameOf(each)}`, each]))
  return [...last.values()]
    .filter(({ required, result }) => required && result !== 'passed')
    .map(each => ({
      planId: each.plan_id,
      ...noDecision,
      message: `the required validation ${nameOf(each)} ${each.result === 'failed' ? 'failed' : 'did not run'}: ${each.message}`,
    }))
}

function nameOf({ validation, command }: DecisionLogView['validations'][number]): string {
  return validation ?? command
}

/** A dropped question is answered by a later one of the same kind and words; a cancelled plan needs no answers. */
function unanswered({ gates, plans }: DecisionLogView): Found[] {
  const ended = new Set(plans.filter(({ state }) => state === 'cancelled').map(({ plan_id }) => plan_id))
  return gates.flatMap((gate, at) => {
    if (gate.status === 'resolved' || ended.has(gate.plan_id)) return []
    const again = gates
      .slice(at + 1)
      .some(
        later =>
          later.plan_id === gate.plan_id &&
          later.kind === gate.kind &&
          later.question === gate.question &&
          later.status === 'resolved',
      )
    if (again) return []
    const how = gate.status === 'open' ? 'is open' : 'was dropped without an answer'
    return [{ planId: gate.plan_id, ...noDecision, message: `the question "${gate.question}" ${how}` }]
  })
}

/** What children cost is in the plan that started them. */
function tooCostly({ plans, plan_id }: DecisionLogView, limit: number): Found[] {
  const cost = plans.find(each => each.plan_id === plan_id)?.cost_usd ?? null
  if (cost !== null && cost <= limit) return []
  const what = cost === null ? 'has an unknown cost' : `cost ${cost.toFixed(2)} USD`
  return [
    { planId: plan_id, ...noDecision, message: `the plan ${what}, and the limit is ${limit.toFixed(2)}` },
  ]
}
