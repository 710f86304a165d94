import type { PlanId } from '../domain/ids.ts'
import type { PlanEvent } from './events.ts'
import type { Ports } from './ports.ts'

const PAGE = 5_000

/** Every event of a plan, oldest first, without those of its children. */
export function* eventsOfPlan({ store }: Ports, planId: PlanId): Generator<PlanEvent> {
  for (let after = 0; ; ) {
    const events = store.events.read(after, PAGE, planId)
    yield* events
    const last = events.at(-1)
    if (!last || events.length < PAGE) return
    after = last.seq
  }
}
