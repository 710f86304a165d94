import type { GateView } from '../src/a2a/protocol/views.ts'

/** The inbox: open gates over all plans and depths, oldest first. */
export interface Gates {
  readonly open: Map<string, GateView>
}

export function createGates(): Gates {
  return { open: new Map() }
}

export function replaceGates(gates: Gates, all: readonly GateView[]): void {
  gates.open.clear()
  for (const gate of all) putGate(gates, gate)
}

/** A gate that is answered or void leaves the inbox. */
export function putGate(gates: Gates, gate: GateView): void {
  if (gate.status === 'open') gates.open.set(gate.gate_id, gate)
  else gates.open.delete(gate.gate_id)
}

export function inbox(gates: Gates): GateView[] {
  return [...gates.open.values()].sort((a, b) => order(a).localeCompare(order(b)))
}

export function gatesOf(gates: Gates, planIds: readonly string[]): GateView[] {
  return inbox(gates).filter(gate => planIds.includes(gate.plan_id))
}

function order(gate: GateView): string {
  return `${gate.opened_at} ${gate.gate_id}`
}
