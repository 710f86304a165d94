import type { ConfidenceFactors, DecisionType } from '../../domain/decision/decision.ts'
import { FailureError } from '../../domain/failure.ts'
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
import { readWeights } from '../../domain/gate/weights.ts'
import { conflictsResolved } from '../../domain/invariant/reconcile.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'
import { planTouches } from './touches.ts'

export interface Operation {
  readonly gate: AutomationGate
  /** The kind of choice whose history counts; null: the history of the gate itself. */
  readonly decisionType: DecisionType | null
  /** The actor's own confidence, or the lowest of a finished phase; it can only lower the result. */
  readonly stated: number | null
  /** What it touches; left out, everything that the plan is going to do. */
  readonly touches?: readonly TouchKind[]
}

/** Asks the confidence controller. Every one of the eleven automation gates comes through here. */
export function judgeOperation(ports: Ports, plan: Plan, operation: Operation): Verdict {
  const { gate, stated } = operation
  return judge({
    gate,
    profile: plan.profile,
    factors: factorsOf(ports, plan, operation),
    weights: weightsOf(ports),
    stated,
  })
}

function factorsOf(ports: Ports, plan: Plan, { gate, decisionType, touches }: Operation): ConfidenceFactors {
  const { store } = ports
  const project = plan.project.name
  const met = store.metPaths.counts(plan.rootPlanId)
  const applied = store.plans.list({ project, state: 'applied', limit: 10 }).length
  return {
    success: successFactor(
      decisionType === null
        ? store.judgements.outcomes(project, gate)
        : store.decisions.outcomes(project, decisionType),
    ),
    familiarity: familiarityFactor(met.paths === 0 ? 0 : met.known / met.paths, applied),
    risk: riskFactor(
      touches ?? planTouches(ports, plan, 'planned'),
      Math.max(met.paths, plan.changes?.files ?? 0),
    ),
    invariants: invariantFactor(plan.invariants.length, conflictsResolved(plan.invariants)),
  }
}

/** What was written into the settings by hand may be wrong: then nothing passes, and the plan says so. */
function weightsOf({ settings }: Ports) {
  const setting = settings.get('confidence.weights', null)
  const weights = setting.ok ? readWeights(String(setting.value.value)) : setting
  if (!weights.ok) throw new FailureError(weights.failure)
  return weights.value
}
