/** What the row of a spawn step keeps while its children run. */

import type { Step } from '../../domain/plan/journal.ts'
import { isFinal } from '../../domain/plan/lifecycle.ts'
import {
  readSpawn,
  type Spawn,
  type SpawnedChild,
  type SpawnMove,
  withPart,
} from '../../domain/plan/spawn.ts'
import { changePlan } from '../plan/change-plan.ts'
import type { Next } from '../plan/next.ts'
import type { Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'

/** Call it inside a transaction. */
export function saveSpawn(ports: Ports, row: Step, input: Spawn): void {
  ports.store.steps.update({ ...row, input })
}

/** Call it inside a transaction. */
export function savePart(ports: Ports, row: Step, { key }: SpawnedChild, part: SpawnedChild['part']): void {
  saveSpawn(ports, row, withPart(readSpawn(row), key, part))
}

/** Nothing of it comes into the plan. */
export function leaveOut(
  { session }: Turn,
  row: Step,
  { child, why }: Extract<SpawnMove, { kind: 'leave_out' }>,
): Next {
  const { ports } = session
  return {
    event: null,
    commit: () => {
      savePart(ports, row, child, 'left_out')
      const plan = planOf(ports, child.planId)
      if (!isFinal(plan.position)) changePlan(ports, plan, { event: 'cancelled', reason: `left out: ${why}` })
    },
  }
}
