import type { OnConflict } from '../../../domain/sandbox/strategy.ts'
import type { DatabaseApply } from '../database-sandbox.ts'
import type { ObjectChange } from '../row-changes.ts'
import type { SQLite } from './load.ts'
import type { Sides } from './merge-rows.ts'
import type { States } from './states.ts'

export interface ApplyInput {
  readonly sqlite: SQLite
  readonly states: States
  readonly resource: string
  /** The user's database. */
  readonly location: string
  readonly request: DatabaseApply
  /** `look` finds out what would happen and writes nothing. */
  readonly purpose: 'look' | 'write'
  /** Whose rows meet there; where it is left out, the plan's and the user's. */
  readonly sides?: Sides
  /** What happens to rows that both changed, one by one; where it is left out, nothing is written then. */
  readonly onConflict?: OnConflict
}

export interface Files {
  readonly from: string
  readonly to: string
}

export interface Work extends ApplyInput {
  readonly files: Files
  readonly chosen: readonly ObjectChange[]
  readonly isWhole: boolean
}

export const applied = { outcome: 'applied', left: [], notices: [] } as const
