import type { Gate, GateStatus } from '../../domain/gate/gate.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

/** Voids every open gate of a plan, inside the caller's transaction: what they asked about is no longer so. */
export function closeGates(ports: Ports, plan: Plan, reason: string): void {
  for (const gate of ports.store.gates.listOpen(plan.planId)) {
    closeGate(ports, plan, gate, { kind: 'void', reason, at: ports.clock.now() })
  }
}

/** False when the gate was not open any more: somebody was faster. */
export function closeGate(
  ports: Ports,
  plan: Plan,
  gate: Gate,
  status: Exclude<GateStatus, { kind: 'open' }>,
): boolean {
  if (!ports.store.gates.close(gate.gateId, status)) return false
  const closed: Gate = { ...gate, status }
  const type = status.kind === 'void' ? 'GATE_VOIDED' : 'GATE_RESOLVED'
  ports.store.events.append(plan.planId, plan.rootPlanId, { type, gate: closed })
  return true
}
