import type { Decision } from '../../domain/decision/decision.ts'
import { ok, type Result } from '../../domain/failure.ts'
import type { Gate } from '../../domain/gate/gate.ts'
import type { Judgement } from '../../domain/gate/judgement.ts'
import type { AuditEntry } from '../../domain/guardrails/audit.ts'
import type { Spending } from '../../domain/guardrails/charge.ts'
import type { GateId } from '../../domain/ids.ts'
import type { Correction, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { ChangedFile } from '../../domain/sandbox/changeset.ts'
import { showDiff } from '../decision/show-diff.ts'
import { eventsOfPlan } from '../events-of-plan.ts'
import type { Ports } from '../ports.ts'
import { findPlan } from '../references.ts'

/** Everything that tells what a plan and those below it decided, and who allowed what. */
export interface DecisionLog {
  readonly plans: readonly [Plan, ...Plan[]]
  readonly decisions: readonly Decision[]
  readonly judgements: readonly Judgement[]
  readonly gates: readonly Gate[]
  readonly corrections: readonly Correction[]
  readonly steps: readonly Step[]
  /** The gates that a guard opened, whatever they ask: before Apply they are questions about going on. */
  readonly underGuard: ReadonlySet<GateId>
  /** Checks of limits that said no. */
  readonly denied: readonly (AuditEntry & { readonly planId: Plan['planId'] })[]
  /** US dollars of each plan with those below it. */
  readonly spending: ReadonlyMap<Plan['planId'], Spending>
  /** Or why they are not known. */
  readonly files: Result<readonly ChangedFile[]>
  readonly exportedAt: string
}

export async function gatherLog(ports: Ports, planRef: string): Promise<Result<DecisionLog>> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  const { store } = ports
  const plans = [plan.value, ...store.plans.listDescendants(plan.value.planId)] as const
  const ofAll = <Record>(list: (planId: Plan['planId']) => Record[]) =>
    plans.flatMap(({ planId }) => list(planId))
  const diff = await showDiff(ports, {
    planRef: plan.value.planId,
    part: 'all',
    decisionRef: null,
    correctionRef: null,
    againstRef: null,
    stat: true,
  })
  return ok({
    plans: [plan.value, ...plans.slice(1)],
    decisions: ofAll(store.decisions.listByPlan),
    judgements: ofAll(store.judgements.listByPlan),
    gates: ofAll(store.gates.listByPlan),
    corrections: ofAll(store.corrections.listByPlan),
    steps: ofAll(store.steps.listByPlan),
    underGuard: new Set(ofAll(planId => guardStops(ports, planId))),
    denied: plans.flatMap(({ planId }) =>
      store.guardrails
        .entries(planId)
        .flatMap(each => (each.result === 'denied' ? [{ ...each, planId }] : [])),
    ),
    spending: new Map(plans.map(each => [each.planId, ports.store.ledger.spentBelow(each.planId)])),
    files: diff.ok ? ok(diff.value.changeSet.files) : diff,
    exportedAt: ports.clock.now(),
  })
}

function guardStops(ports: Ports, planId: Plan['planId']): GateId[] {
  return [...eventsOfPlan(ports, planId)].flatMap(({ body }) =>
    body.type === 'GUARD_STOPPED' ? [body.gateId] : [],
  )
}
