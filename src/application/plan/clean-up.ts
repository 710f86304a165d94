import { isFinal, isHandedOver, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

/**
 * Removes the working folder of a plan that has ended, as the setting `sandbox.cleanup` says. Its states stay: what it
 * changed can still be read. A folder that cannot be removed is a matter for the log, not for the plan.
 */
export async function cleanUp(ports: Ports, plan: Plan): Promise<void> {
  const setting = ports.settings.get('sandbox.cleanup', null)
  if (!setting.ok || !isOver(plan, setting.value.value)) return
  const strategy = ports.sandboxes.strategy(plan.sandbox, plan.resources)
  if (!strategy.ok) return
  await strategy.value.release(plan.planId).catch(error => {
    ports.log('a sandbox could not be removed', { planId: plan.planId, error: String(error) })
  })
}

function isOver(plan: Plan, when: unknown): boolean {
  const state = stateOf(plan.position)
  if (when === 'on_terminal') return isFinal(plan.position) || isHandedOver(plan.position)
  return when === 'on_apply' && state === 'applied'
}
