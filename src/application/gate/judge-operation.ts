import type { DecisionType } from '../../domain/decision/decision.ts'
import type { AutomationGate } from '../../domain/gate/automation.ts'
import {
  familiarityFactor,
  invariantFactor,
  judge,
  riskFactor,
  successFactor,
  type TouchKind,
  type Verdict,
} from '../../domain/gate/confidence.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

export interface Operation {
  readonly gate: AutomationGate
  /** The kind of choice whose history counts. */
  readonly decisionType: DecisionType
  /** The actor's own confidence, or the lowest of a finished phase; it can only lower the result. */
  readonly stated: number | null
  /** What it touches; left out, the sandbox. */
  readonly touches?: readonly TouchKind[]
}

/** Asks the confidence controller. Every one of the eleven automation gates comes through here. */
export function judgeOperation(ports: Ports, plan: Plan, operation: Operation): Verdict {
  const { store } = ports
  const applied = store.plans.list({ project: plan.project.name, state: 'applied', limit: 10 }).length
  const factors = {
    success: successFactor(store.decisions.successes(plan.project.name, operation.decisionType)),
    familiarity: familiarityFactor(0, applied),
    risk: riskFactor(operation.touches ?? [sandboxTouch(plan)], plan.changes?.files ?? 0),
    invariants: invariantFactor(plan.invariants.length),
  }
  return judge(operation.gate, plan.profile, factors, operation.stated)
}

function sandboxTouch({ action }: Plan): TouchKind {
  return action.readOnly ? 'read_only' : 'checkpointable_write'
}
