import type { Gate, GateAnswer } from '../../domain/gate/gate.ts'
import type { Limits } from '../../domain/guardrails/limits.ts'
import type { ProcessIdentity } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { ChangeCounts } from '../../domain/sandbox/changeset.ts'
import type { LimitFacts } from '../guardrails/limit-facts.ts'
import type { SandboxFacts } from '../plan/sandbox-facts.ts'

export interface PlanDetails {
  readonly plan: Plan
  /** Its own and those of the plans below it. */
  readonly openGates: readonly Gate[]
  readonly children: readonly Plan[]
  /** The child whose question or pause it waits for. */
  readonly waitsFor: Plan | null
  readonly limits: LimitFacts
  readonly changes: ChangeCounts | null
  readonly notices: readonly string[]
  readonly sandbox: SandboxFacts
  readonly runner: ProcessIdentity | null
  /** The plan that takes, or took, its applied changes back. */
  readonly takenBackBy: Plan | null
}

export interface UseAction {
  readonly actionName: string
  readonly projects: readonly string[]
  /** Where the client was started; used when no project is named. */
  readonly folder: string | null
  readonly args: Readonly<Record<string, unknown>>
  readonly automationProfile: string | null
  /** By name, or `auto`; null: what the settings say. */
  readonly sandbox: string | null
  readonly invariants: readonly string[]
  /** Tighter limits than those of the action and the settings. */
  readonly limits: Partial<Limits>
  readonly name: string | null
  readonly contextId: string | null
  readonly trust: boolean
  /** Whether somebody is there to answer. */
  readonly isAttended: boolean
}

export interface AnswerGate {
  readonly planRef: string
  /** May be left out when exactly one gate of the plan is open. */
  readonly gateRef: string | null
  readonly digest: string | null
  /** What the person typed to approve what cannot be taken back; null where nothing was. */
  readonly confirmWord: string | null
  readonly answer: GateAnswer
  readonly by: string
}

export interface Artifact {
  readonly name: string
  readonly kind: string
  readonly bytes: number
  readonly path: string | null
}
