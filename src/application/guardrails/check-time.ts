import { checkWallClock, type Excess } from '../../domain/guardrails/limits.ts'
import type { Turn } from '../plan/turn.ts'
import { lineage } from './budget-tiers.ts'
import { secondsRun } from './keep-time.ts'
import { recordAudit } from './record-audit.ts'

/** Its own time and that of the plans above it, which run while it does. Call it inside a transaction. */
export function timeExceeded({ session, plan }: Pick<Turn, 'session' | 'plan'>, key: string): Excess | null {
  const { ports } = session
  for (const each of lineage(ports, plan)) {
    const { limits, sources } = each.guardrails
    if (limits.maxWallClockSeconds === null) continue
    const { kind, used, max, reason } = checkWallClock(limits, secondsRun(ports, each))
    recordAudit(ports, plan, {
      key: `${key}:time:${each.planId}`,
      eventType: kind === 'exceeded' ? 'time_blocked' : 'time_allowed',
      guardName: 'max_wall_clock_seconds',
      reason: each === plan ? reason : `${each.name}: ${reason}`,
      context: { elapsed_seconds: used, max_seconds: max, plan: each.name },
    })
    if (kind === 'may_proceed') continue
    return {
      limit: 'wall_clock',
      level: 'plan',
      planId: each.planId,
      of: each.name,
      used,
      max: max ?? 0,
      wanted: 1,
      source: sources.maxWallClockSeconds ?? 'plan',
      reason: `${each.name} has run for ${Math.round(used)} of its ${max} seconds`,
    }
  }
  return null
}
