import { refuse } from '../../domain/failure.ts'
import { isFinal } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { amountSetting } from '../guardrails/limits-for.ts'
import type { Ports } from '../ports.ts'
import { savePlan } from './change-plan.ts'

const DAY_MS = 86_400_000

/**
 * What plans left that ended long enough ago, as `sandbox.keep-days` says: their states, those of superseded lines and
 * of sandboxes made anew, and the output of their commands. A family goes as one, since its plans share states. Plans,
 * decisions and journals stay. A folder that cannot be removed is a matter for the log.
 */
export async function removeOldWork(ports: Ports): Promise<void> {
  const days = amountSetting(ports, 'sandbox.keep-days', null)
  if (!days.ok) return ports.log('old work is kept', { failure: days.failure.message })
  if (days.value === null) return
  const before = Date.parse(ports.clock.now()) - days.value * DAY_MS
  for (const family of familiesEndedBefore(ports, before))
    for (const plan of family) await removeWork(ports, plan)
}

function familiesEndedBefore({ store }: Ports, before: number): Plan[][] {
  const ended = ['applied', 'cancelled'].flatMap(state => store.plans.list({ state, limit: 1_000 }))
  return ended
    .filter(({ parentPlanId }) => parentPlanId === null)
    .map(root => [root, ...store.plans.listDescendants(root.planId)])
    .filter(family => family.every(plan => isOld(plan) && !isNeeded(plan)))
    .map(family => family.filter(({ workRemovedAt }) => workRemovedAt === null))

  function isOld({ position, endedAt }: Plan): boolean {
    return isFinal(position) && endedAt !== null && Date.parse(endedAt) < before
  }

  /** By a plan that is taking back what it applied. */
  function isNeeded({ takenBackBy }: Plan): boolean {
    const other = takenBackBy === null ? null : store.plans.find(takenBackBy)
    return other !== null && !isFinal(other.position)
  }
}

/** Noted first: what is on record as gone is never opened anew. */
async function removeWork(ports: Ports, { planId }: Plan): Promise<void> {
  const { store, sandboxes, clock, log } = ports
  const noted = store.transaction(() => {
    const plan = store.plans.find(planId)
    if (!plan || !isFinal(plan.position)) return null
    const next: Plan = { ...plan, workRemovedAt: clock.now() }
    savePlan(ports, next)
    return next
  })
  const strategy = noted && sandboxes.strategy(noted.sandbox, noted.resources)
  if (!strategy?.ok) return
  await strategy.value.discard(planId).catch((error: unknown) => {
    log('old work could not be removed', { planId, error: String(error) })
  })
}

export function refuseRemoved({ name, planId, workRemovedAt }: Plan) {
  return refuse(
    'not_found',
    `What plan ${name} did was removed on ${workRemovedAt?.slice(0, 10)}, as the setting sandbox.keep-days says. Its decisions are still there: agents plan tree ${name}.`,
    { plan_id: planId },
  )
}
