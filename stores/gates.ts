import type { GateView } from '../src/a2a/protocol/views/gate.ts'

/** The inbox: open gates over all plans and depths, oldest first. */
export interface Gates {
  readonly open: Map<string, GateView>
  /** The last ones that left, so that an open card can say who answered. */
  readonly closed: Map<string, GateView>
}

const maxClosed = 50

export function createGates(): Gates {
  return { open: new Map(), closed: new Map() }
}

export function replaceGates(gates: Gates, all: readonly GateView[]): void {
  gates.open.clear()
  for (const gate of all) putGate(gates, gate)
}

/** A gate that is answered or void leaves the inbox. */
export function putGate(gates: Gates, gate: GateView): void {
  if (gate.status === 'open') {
    gates.open.set(gate.gate_id, gate)
    return
  }
  gates.open.delete(gate.gate_id)
  gates.closed.set(gate.gate_id, gate)
  const oldest = gates.closed.keys().next().value
  if (gates.closed.size > maxClosed && oldest !== undefined) gates.closed.delete(oldest)
}

export function inbox(gates: Gates): GateView[] {
  return [...gates.open.values()].sort((a, b) => order(a).localeCompare(order(b)))
}

export function gatesOf(gates: Gates, planIds: readonly string[]): GateView[] {
  return inbox(gates).filter(gate => planIds.includes(gate.plan_id))
}

/** The question before Apply of a plan; it names the change set it is about. */
export function applyGateOf(gates: Gates, planId: string): GateView | undefined {
  return [...gates.open.values()].find(
    gate => gate.plan_id === planId && typeof gate.subject['changes_digest'] === 'string',
  )
}

function order(gate: GateView): string {
  return `${gate.opened_at} ${gate.gate_id}`
}
