/** Constraints that plans keep. */
import { later } from './row.ts'

export const invariantMethods = {
  '_cleveragents/invariant/list': later('Invariants.'),
} as const
