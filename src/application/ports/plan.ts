import type { DecisionId, PlanId, StepId } from '../../domain/ids.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Work } from '../../domain/plan/work.ts'

export interface PlanRepository {
  insert(plan: Plan): void
  /** Replaces the row. */
  update(plan: Plan): void
  find(planId: PlanId): Plan | null
  findByName(name: string): Plan | null
  /** Full id, unambiguous prefix, or the last 6 or more characters; at most 10 candidates. */
  match(reference: string): PlanId[]
  /** In the order in which their parent named them. */
  listChildren(planId: PlanId): Plan[]
  /** Children, their children and so on; a plan comes before its own children. */
  listDescendants(planId: PlanId): Plan[]
  /** The newest that is no child of another. */
  latest(): Plan | null
  /** Those of a session that are no children of others, newest first. */
  listBySession(contextId: string): Plan[]
  /** Those of a session that have not ended. */
  listUnfinished(contextId: string): Plan[]
  /** Newest first. `limit`: top-level plans; their children come along. */
  list(filter: { phase?: string; state?: string; project?: string; limit: number }): Plan[]
}

export interface StepRepository {
  /** False when the idempotency key exists. */
  insert(step: Step): boolean
  update(step: Step): void
  find(stepId: StepId): Step | null
  findByKey(idempotencyKey: string): Step | null
  listByPlan(planId: PlanId): Step[]
  /** Calls of tools and checks that began, at a path or below it. */
  countCalls(at: { planId: PlanId; attempt: number; path: string; exceptKey: string }): number
  /** In order of recording. */
  listByDecision(decisionId: DecisionId): Step[]
  /** The last one at that path under the decision whose work was not taken back. */
  lastUnder(decisionId: DecisionId, path: string): Step | null
  last(planId: PlanId): Step | null
  lastAt(planId: PlanId, path: string): Step | null
  /** Spawn steps that have not ended, oldest first. */
  listOpenSpawns(planId: PlanId): Step[]
  /** Runs of checks, in order. */
  listChecks(planId: PlanId): Step[]
  /** Each tool that was called, once with and once without the network. */
  toolsUsed(planId: PlanId): { readonly tool: string; readonly network: boolean }[]
}

export interface CursorRepository {
  put(cursor: Cursor): void
  get(planId: PlanId): Cursor | null
  /** The next turn starts its phase from the beginning. */
  remove(planId: PlanId): void
}

/** The line of work of each plan, and what left it. */
export interface WorkRepository {
  /** Adds a stretch at the end of the plan's line. */
  add(work: Omit<Work, 'seq'>): Work
  extend(planId: PlanId, seq: number, end: Pick<Work, 'to' | 'base'>): void
  /** The end of the line; null while nothing was done. */
  last(planId: PlanId): Work | null
  /** The line, in order. */
  listPresent(planId: PlanId): Work[]
  /** Makes these the line. The others stay on record. */
  setPresent(planId: PlanId, seqs: readonly number[]): void
  /** What was done under a decision, as it holds or, where nothing of it does, as it last did. */
  listByDecision(decisionId: DecisionId): Work[]
}
