import type { PlanId } from '../../domain/ids.ts'
import type { ChangeSet } from '../../domain/sandbox/changeset.ts'

export interface Diff {
  readonly planId: PlanId
  readonly part: DiffPart
  /** What the two sides are, for people. */
  readonly titles: DiffTitles
  readonly changeSet: ChangeSet
  readonly patch: Uint8Array
}

/** Of a plan's changes: those not in the user's files yet, those that are, or both. */
export type DiffPart = 'left' | 'applied' | 'all'

export interface DiffTitles {
  readonly old: string
  readonly new: string
}

export interface DiffRequest {
  readonly planRef: string
  /** Null: what is left while a part is applied, else everything. Only for the diff of a plan as a whole. */
  readonly part: DiffPart | null
  readonly decisionRef: string | null
  readonly correctionRef: string | null
  /** Another plan on the same project, whose result is the new side. */
  readonly againstRef: string | null
  readonly stat: boolean
}
