import type { PlanId } from '../../domain/ids.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { LaidLine } from '../../domain/plan/lay-back.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import type { Ports } from '../ports.ts'

/**
 * What was done in the sandbox up to the state of the cursor belongs to the decision that it names. `from` is where it
 * began; what the line itself says about that counts more. Call it inside a transaction.
 */
export function addWork(ports: Ports, from: SandboxState, after: Omit<Cursor, 'pending' | 'outcome'>): void {
  const { works } = ports.store
  const { planId, decisionId, sandboxState: to, base } = after
  const last = works.last(planId)
  if ((last?.to ?? from) === to && (last?.base ?? null) === base) return
  if (last && last.decisionId === decisionId && last.base === base)
    works.extend(planId, last.seq, { to, base })
  else works.add({ planId, decisionId, from: last?.to ?? from, to, base })
}

/** What was planned becomes the line. Call it inside a transaction. */
export function takeLine({ store }: Ports, planId: PlanId, { untouched, laid }: LaidLine): void {
  store.works.setPresent(
    planId,
    untouched.map(work => work.seq),
  )
  for (const work of laid) store.works.add(work)
}
