import type { AutomationGate } from '../../domain/gate/automation.ts'
import type { Gate } from '../../domain/gate/gate.ts'
import type { Judgement } from '../../domain/gate/judgement.ts'
import type { GateId, GrantId, PlanId } from '../../domain/ids.ts'
import type { Grant } from '../../domain/plan/journal.ts'
import type { Outcomes } from './decision.ts'

export interface JudgementRepository {
  insert(judgement: Judgement): void
  /** In order of recording. */
  listByPlan(planId: PlanId): Judgement[]
  /** What became of the last 50 operations at a gate in a project, as far as it is known. */
  outcomes(projectName: string, gate: AutomationGate): Outcomes
}

export interface GateRepository {
  insert(gate: Gate): void
  /** Sets the status only if it is still open; false = somebody was faster. */
  close(gateId: GateId, status: Exclude<Gate['status'], { kind: 'open' }>): boolean
  find(gateId: GateId): Gate | null
  match(reference: string): GateId[]
  listByPlan(planId: PlanId): Gate[]
  listOpen(planId: PlanId | null): Gate[]
}

export interface GrantRepository {
  insert(grant: Grant): void
  revoke(grantId: GrantId, at: string): boolean
  find(grantId: GrantId): Grant | null
  match(reference: string): GrantId[]
  /** With a plan: those that reach it, its own and those of its profile; revoked ones included. */
  list(planId: PlanId | null): Grant[]
}
