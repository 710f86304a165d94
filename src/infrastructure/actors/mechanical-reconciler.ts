import { reconcile } from '../../domain/invariant/reconcile.ts'
import type { InvariantReconciler } from '../../domain/invariant/reconciler.ts'

/** Compares rules and nothing else: it needs no model, and says the same every time. */
export const mechanicalReconciler: InvariantReconciler = {
  name: 'builtin/mechanical',
  reconcile: async candidates => reconcile(candidates),
}
