import type { Action } from '../../domain/action.ts'
import { mapped, ok, type Result, refuse } from '../../domain/failure.ts'
import {
  type Guardrails,
  type LimitField,
  type Limits,
  type LimitWishes,
  tighten,
} from '../../domain/guardrails/limits.ts'
import type { Ports } from '../ports.ts'

/** What of a plan's limits the settings can name, each for all projects and for one. */
const settingOf = {
  maxSteps: 'plan.max-steps',
  toolBudget: 'plan.max-cost',
  maxTokens: 'plan.max-tokens',
  maxWallClockSeconds: 'plan.max-seconds',
} as const satisfies Partial<Record<LimitField, string>>

/**
 * The limits of a new plan: what its maker, its action and the settings say, the tightest of each. They are settled
 * here for good, so that a setting that is changed later moves no plan that runs.
 */
export function limitsFor(
  ports: Ports,
  wished: Partial<Limits>,
  action: Action,
  /** Null: a plan that is made on a person's behalf, which no setting is about. */
  project: string | null,
): Result<Guardrails> {
  if (project === null) return ok(tighten([{ source: 'action', limits: action.guardrails ?? {} }]))
  const ofProject = fromSettings(ports, project)
  if (!ofProject.ok) return ofProject
  const global = fromSettings(ports, null)
  if (!global.ok) return global
  return ok(
    tighten([
      { source: 'plan', limits: wished },
      { source: 'action', limits: action.guardrails ?? {} },
      { source: 'project', limits: ofProject.value },
      { source: 'global', limits: global.value },
    ]),
  )
}

/** A child takes those of its action; what its parent has left is looked at before every call. */
export function limitsOfChild(parent: Guardrails, action: Action): Guardrails {
  return tighten([
    { source: 'action', limits: action.guardrails ?? {} },
    {
      source: 'parent',
      limits: {
        maxSteps: parent.limits.maxSteps,
        maxToolCallsPerInvocation: parent.limits.maxToolCallsPerInvocation,
        maxRetriesPerFailure: parent.limits.maxRetriesPerFailure,
        requiredConfirmations: parent.limits.requiredConfirmations,
      },
    },
  ])
}

function fromSettings(ports: Ports, project: string | null): Result<LimitWishes['limits']> {
  const limits: { -readonly [Field in keyof typeof settingOf]?: number | null } = {}
  for (const field of ['maxSteps', 'toolBudget', 'maxTokens', 'maxWallClockSeconds'] as const) {
    const amount = amountSetting(ports, settingOf[field], project)
    if (!amount.ok) return amount
    limits[field] = amount.value
  }
  return ok(limits)
}

/** Null where nothing is set, and for a project where nothing is set for that project alone. */
export function amountSetting(ports: Ports, key: string, project: string | null): Result<number | null> {
  return mapped(ports.settings.get(key, project), ({ value, source }) =>
    value === 'none' || (project !== null && source !== 'project') ? null : Number(value),
  )
}

/** What a person or program asks for must be an amount before a plan is made with it. */
export function refusalOfLimits(limits: Partial<Limits>): Result<never> | null {
  for (const [name, value] of Object.entries(limits))
    if (typeof value === 'number' && !(Number.isFinite(value) && value >= 0))
      return refuse('invalid_input', `${name} is ${value}; a limit is a number of 0 or more.`, {
        name,
        value,
      })
  return null
}
