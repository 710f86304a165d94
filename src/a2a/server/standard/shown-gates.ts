import type { GateView } from '../../protocol/views/gate.ts'

/**
 * Which gate a peer was shown last in which task. A text carries no digest, so it answers what was shown and nothing
 * else; what was not shown in this process is shown before it can be answered by text.
 */
export interface ShownGates {
  remember(taskId: string, gate: GateView): void
  last(taskId: string): GateView | null
}

export function createShownGates(): ShownGates {
  const gates = new Map<string, GateView>()
  return {
    remember(taskId, gate) {
      gates.delete(taskId)
      gates.set(taskId, gate)
      const [oldest] = gates.keys()
      if (gates.size > MAX_TASKS && oldest !== undefined) gates.delete(oldest)
    },
    last: taskId => gates.get(taskId) ?? null,
  }
}

const MAX_TASKS = 1_000
