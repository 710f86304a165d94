import type { InvariantId } from '../../domain/ids.ts'
import type { Invariant } from '../../domain/invariant/invariant.ts'

export interface InvariantRepository {
  insert(invariant: Invariant): void
  remove(invariantId: InvariantId): void
  find(invariantId: InvariantId): Invariant | null
  match(reference: string): InvariantId[]
  /** In the order in which they were stated. */
  list(): Invariant[]
  /** Those of one scope; `subject` is the name or id it is about, null for all plans. */
  listFor(scope: Invariant['scope']['kind'], subject: string | null): Invariant[]
}
