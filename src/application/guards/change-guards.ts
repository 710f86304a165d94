import { mapped, ok, type Result, refuse } from '../../domain/failure.ts'
import { type SourcedGuards, valuesOf } from '../../domain/guards/effective-guards.ts'
import { changeOverlay, type GuardChange, loosened } from '../../domain/guards/guard-overlay.ts'
import { parseToolRule } from '../../domain/guards/tool-rule.ts'
import { nearest, suggest } from '../../domain/nearest.ts'
import { positionWords, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { unlessByCommand } from '../by-a-person.ts'
import type { Ports } from '../ports.ts'
import { findPlan } from '../references.ts'
import { guardsOf } from './guards-of.ts'

export interface ChangeGuards {
  readonly planRef: string
  readonly change: GuardChange
  /** Why, which a loosening needs. */
  readonly reason: string | null
  readonly by: string
  /** Only tells what would hold. */
  readonly dryRun: boolean
}

export interface PlanGuards {
  readonly plan: Plan
  readonly guards: SourcedGuards
  /** What a change lets through that was stopped before; empty where nothing. */
  readonly loosened: readonly string[]
}

export function showGuards(ports: Ports, planRef: string): Result<PlanGuards> {
  return mapped(findPlan(ports, planRef), plan => ({ plan, guards: guardsOf(ports, plan), loosened: [] }))
}

/**
 * Changes the guards of one plan; its profile stays as it was chosen. It holds from the next call on, whoever runs the
 * plan: guards are read anew for each. To tighten needs nobody's leave; to loosen needs a person, and the reason is kept.
 */
export function changeGuards(ports: Ports, input: ChangeGuards): Result<PlanGuards> {
  return ports.store.transaction(() => {
    const plan = findPlan(ports, input.planRef)
    if (!plan.ok) return plan
    const refused = refusalToChange(ports, plan.value, input.change)
    if (refused) return refused
    const before = valuesOf(guardsOf(ports, plan.value))
    const changed: Plan = {
      ...plan.value,
      guardOverlay: changeOverlay(plan.value.guardOverlay, input.change),
      updatedAt: ports.clock.now(),
    }
    const guards = guardsOf(ports, changed)
    const after = valuesOf(guards)
    const looser = loosened(before, after)
    const outcome = ok({ plan: changed, guards, loosened: looser })
    if (input.dryRun || JSON.stringify(before) === JSON.stringify(after)) return outcome
    const byCommand = looser.length > 0 ? unlessByCommand(ports, 'loosen guards') : null
    if (byCommand) return byCommand
    if (looser.length > 0 && !input.reason?.trim()) {
      const message = `This loosens the guards of ${changed.name}: ${looser.join('; ')}. Only a person does that, and says why.`
      return refuse('invalid_input', message, { loosened: looser })
    }
    ports.store.plans.update(changed)
    const { change, reason, by } = input
    ports.store.events.append(changed.planId, changed.rootPlanId, {
      type: 'GUARDS_CHANGED',
      change,
      loosened: looser,
      reason,
      by,
    })
    return outcome
  })
}

function refusalToChange(ports: Ports, plan: Plan, change: GuardChange): Result<never> | null {
  if (['applied', 'cancelled', 'errored'].includes(stateOf(plan.position)))
    return refuse(
      'invalid_state',
      `Plan ${plan.name} is ${positionWords(plan.position)}; it calls no tools any more.`,
    )
  const entries = change.kind === 'set' ? (change.toolAllowlist ?? []) : change.entries
  for (const entry of entries) {
    const rule = parseToolRule(entry)
    if (!rule.ok) return rule
  }
  return change.kind === 'undeny' ? refusalToUndeny(ports, plan, change.entries) : null
}

function refusalToUndeny(ports: Ports, plan: Plan, entries: readonly string[]): Result<never> | null {
  const denied = guardsOf(ports, plan).toolDenylist
  for (const entry of entries) {
    const found = denied.find(({ value }) => value === entry)
    const names = denied.map(({ value }) => value)
    if (!found)
      return refuse(
        'not_found',
        `${entry} is not on the denylist of ${plan.name}. ${suggest(entry, names)}`,
        {
          entry,
          nearest: nearest(entry, names),
        },
      )
    if (found.source === 'parent')
      return refuse('invalid_state', `${entry} is denied by the parent of ${plan.name}; take it off there.`, {
        entry,
      })
  }
  return null
}
