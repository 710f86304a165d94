import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  closeReservations,
  releaseUnused,
  reserveCost,
  settleCost,
} from '../../src/application/guardrails/charge-call.ts'
import type { Ports } from '../../src/application/ports.ts'
import { toNanos } from '../../src/domain/guardrails/budget.ts'
import { type Limits, noGuardrails, noLimits } from '../../src/domain/guardrails/limits.ts'
import type { Plan } from '../../src/domain/plan/plan.ts'
import { startBackend } from '../support/backend.ts'
import { aPlan } from '../support/records.ts'

const cents = fc.integer({ min: 0, max: 40 }).map(amount => amount / 100)
const limit = fc.option(cents.map(amount => amount * 5))
const act = fc.record({
  plan: fc.nat({ max: 5 }),
  kind: fc.constantFrom('begin', 'begin', 'settle', 'release', 'crash'),
  cost: cents,
})

it('no level of the hierarchy ever holds more than its limit, and every level is the sum of what is below it', async () => {
  const { ports } = await startBackend()
  const { store } = ports
  let round = 0
  fc.assert(
    fc.property(
      fc.array(limit, { minLength: 6, maxLength: 6 }),
      limit,
      fc.array(act, { maxLength: 40 }),
      (limits, cap, acts) => {
        const plans = family(ports, limits, cap, `round ${round++}`)
        let calls = 0
        const open = new Map<Plan, string[]>(plans.map(plan => [plan, []]))
        let expected = 0
        for (const { plan: at, kind, cost } of acts) {
          const plan = plans[at] ?? plans[0]
          if (!plan) continue
          const keys = open.get(plan) ?? []
          store.transaction(() => {
            if (kind === 'begin') {
              const stepKey = `${plan.planId}:${calls++}`
              const call = { stepKey, costUsd: cost, tokens: tokensFor(cost), tool: 'x' }
              const verdict = reserveCost(ports, plan, call)
              if (verdict?.kind !== 'may_proceed' || cost === 0) return
              keys.push(stepKey)
              // The same call is charged once, however often it is asked for.
              reserveCost(ports, plan, call)
              expected += toNanos(cost)
            } else if (kind === 'crash') {
              // No step of these had begun, so all of it is given back.
              expected -= toNanos(store.ledger.reserved(plan.planId).reduce((sum, each) => sum + each.usd, 0))
              closeReservations(ports, plan)
              keys.length = 0
            } else {
              const key = keys.pop()
              if (key === undefined) return
              if (kind === 'settle') return settleCost(ports, plan, key)
              expected -= toNanos(store.ledger.ofStep(key)[0]?.usd ?? 0)
              releaseUnused(ports, key)
            }
          })
          expectWithin(ports, plans)
        }
        expect(total(ports, plans[0])).toBe(expected)
      },
    ),
    { numRuns: 25 },
  )
})

/** A root with two children, each with one or two of its own. */
function family(
  ports: Ports,
  limits: readonly (number | null)[],
  cap: number | null,
  session: string,
): Plan[] {
  const parents = [null, 0, 0, 1, 1, 2]
  const plans: Plan[] = []
  ports.store.transaction(() => {
    for (const [at, parent] of parents.entries()) {
      const above = parent === null ? undefined : plans[parent]
      const plain = aPlan()
      const plan: Plan = {
        ...plain,
        parentPlanId: above?.planId ?? null,
        rootPlanId: plans[0]?.planId ?? plain.planId,
        contextId: session,
        profile: { ...plain.profile, name: session, safety: { ...plain.profile.safety, maxTotalCost: cap } },
        guardrails: { ...noGuardrails, limits: limitsOf(limits, at) },
      }
      ports.store.plans.insert(plan)
      plans.push(plan)
    }
  })
  return plans
}

/** A plan's limit of tokens is not the one of its money, so that sometimes the one and sometimes the other stops it. */
function limitsOf(limits: readonly (number | null)[], at: number): Limits {
  const other = limits[limits.length - 1 - at] ?? null
  const maxTokens = other === null ? null : tokensFor(other)
  return { ...noLimits, toolBudget: limits[at] ?? null, maxTokens }
}

function tokensFor(usd: number): number {
  return Math.round(usd * 1_000)
}

function expectWithin({ store }: Ports, plans: readonly Plan[]): void {
  const own = (plan: Plan) => sum(store.ledger.spentByPlan(plan.planId))
  const below = (plan: Plan): number =>
    own(plan) +
    plans.filter(each => each.parentPlanId === plan.planId).reduce((all, each) => all + below(each), 0)
  for (const plan of plans) {
    const held = sum(store.ledger.spentBelow(plan.planId))
    expect(held).toBe(below(plan))
    expect(held).toBeLessThanOrEqual(toNanos(plan.guardrails.limits.toolBudget ?? 1e6))
    const { spentTokens, reservedTokens } = store.ledger.spentBelow(plan.planId)
    expect(spentTokens + reservedTokens).toBeLessThanOrEqual(plan.guardrails.limits.maxTokens ?? 1e6)
  }
  const [root] = plans
  const everything = root ? below(root) : 0
  expect(sum(store.ledger.spentUnderProfile(root?.profile.name ?? ''))).toBe(everything)
  expect(sum(store.ledger.spentInSession(root?.contextId ?? ''))).toBe(everything)
  expect(everything).toBeLessThanOrEqual(toNanos(root?.profile.safety.maxTotalCost ?? 1e6))
}

function total({ store }: Ports, root: Plan | undefined): number {
  return root ? sum(store.ledger.spentBelow(root.planId)) : 0
}

function sum({ spentUsd, reservedUsd }: { spentUsd: number; reservedUsd: number }): number {
  return toNanos(spentUsd) + toNanos(reservedUsd)
}
