import type { Decision, DecisionStatus, Standing } from '../../domain/decision/decision.ts'
import type { CommandWriters, DecisionWeb, Influence, WrittenPath } from '../../domain/decision/influence.ts'
import type { StatedBand } from '../../domain/gate/calibration.ts'
import type { DecisionId, PlanId } from '../../domain/ids.ts'
import type { ChangeCounts } from '../../domain/sandbox/changeset.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'

export interface DecisionRepository {
  insert(decision: Decision): void
  setStatus(decisionIds: readonly DecisionId[], status: DecisionStatus): void
  setChanges(decisionId: DecisionId, changes: ChangeCounts): void
  setStanding(decisionId: DecisionId, standing: Standing): void
  find(decisionId: DecisionId): Decision | null
  match(reference: string, planId: PlanId | null): DecisionId[]
  findByNumber(planId: PlanId, number: number): Decision | null
  /** The latest one that holds. */
  findActiveByKey(planId: PlanId, key: string): Decision | null
  /** Those kept from before a correction that their actor has not come to again, in order of their places. */
  listKept(planId: PlanId): Decision[]
  /** In order of recording, superseded ones included. */
  listByPlan(planId: PlanId): Decision[]
  /** The last one before a place that an actor chose, holds and has come to. */
  findReachedBefore(planId: PlanId, place: number): Decision | null
  /** Those after a place that hold are kept until their actor comes to them again. */
  keepAfter(planId: PlanId, place: number): void
  nextNumber(planId: PlanId): number
  nextPlace(planId: PlanId): number
  /** Written twice, it is one. `refused`: kept to be told, and it counts for nothing. */
  addInfluence(planId: PlanId, influence: Influence, refused?: string): void
  influences(planId: PlanId): Influence[]
  web(planId: PlanId): DecisionWeb
  /** Those that end at a decision or begin there; of the refused ones only those that end there. */
  influencesAround(decisionId: DecisionId): InfluencesAround
  /** Whether what the first one shaped reaches the second one, over any number of edges. */
  reaches(from: DecisionId, to: DecisionId): boolean
  /** What became of the last 50 decisions of a type in a project, as far as it is known. */
  outcomes(projectName: string, decisionType: string): Outcomes
  /** Of all projects: what actors stated, in tenths, for decisions that passed without a person. */
  statedBands(): StatedBand[]
}

/** Good: no correction took it back, and its plan came as far as Apply. What is still open does not count yet. */
export interface Outcomes {
  readonly total: number
  readonly good: number
}

export interface InfluencesAround {
  readonly upstream: readonly Influence[]
  readonly downstream: readonly Influence[]
  readonly refused: readonly { readonly influence: Influence; readonly reason: string }[]
}

/** Which decision wrote which path. Only decisions that hold are named. */
export interface WriteRepository {
  addPaths(planId: PlanId, decisionId: DecisionId, paths: readonly RelPath[]): void
  /** It ran a command, which may have read anything. */
  addCommand(planId: PlanId, decisionId: DecisionId): void
  lastWriter(planId: PlanId, path: RelPath): DecisionId | null
  /** Every path that begins so, with its last writer. */
  writtenBelow(planId: PlanId, prefix: string): WrittenPath[]
  /** What a command that runs now may read. */
  beforeCommand(planId: PlanId): CommandWriters
}
