/** The limits of a plan as they cross the wire, with how much of each is used. */
import * as z from 'zod'
import { nullableText } from './scalars.ts'

/** Null where nothing limits. */
const nullableNumber = z.number().nullable()

/** US dollars, with what the plans below it cost. */
export const budgetView = z.object({
  spent: z.number(),
  /** Of that, what is only assumed, because nobody knows the price. */
  assumed: z.number(),
  /** For calls that are under way. */
  reserved: z.number(),
  /** What it may come to, by its own limit or by what a plan above it has left. */
  limit: nullableNumber,
  /** Who set that limit: plan, action, project, global, person, profile; parent: a plan above it. */
  source: nullableText,
  /** The plan whose limit it is. */
  of: nullableText,
})

/** Tokens of models, read and written, with what the plans below it used. */
const tokensView = z.object({
  used: z.number(),
  /** For calls that are under way. */
  reserved: z.number(),
  max: nullableNumber,
  source: nullableText,
})

const usedLimit = z.object({ used: z.number(), max: nullableNumber, source: nullableText })
const bareLimit = z.object({ max: nullableNumber, source: nullableText })

export const limitsView = z.object({
  steps: usedLimit,
  tokens: tokensView,
  /** Of running; waiting for a person does not count. */
  seconds: usedLimit,
  tool_calls_per_invocation: bareLimit,
  retries_per_failure: bareLimit,
  /** Operations that a person must confirm each time. */
  required_confirmations: z.array(z.string()),
  /** The limit at which it stands still or ended; null while none stops it. */
  exceeded: z.object({ limit: z.string(), level: z.string(), of: z.string(), reason: z.string() }).nullable(),
})

const limitValues = z.object({
  max_steps: nullableNumber,
  tool_budget: nullableNumber,
  max_tokens: nullableNumber,
  max_wall_clock_seconds: nullableNumber,
  max_tool_calls_per_invocation: nullableNumber,
  max_retries_per_failure: nullableNumber,
  required_confirmations: z.array(z.string()),
})

export const limitsChangedView = z.object({ before: limitValues, after: limitValues, by: z.string() })
export type LimitValuesView = z.infer<typeof limitValues>

/** One line of a plan's audit. */
export const auditEntryView = z.object({
  timestamp: z.string(),
  /** guardrail: a check of a limit, of the trail of twelve types. plan: from the plan's own events, kept apart. */
  log: z.enum(['guardrail', 'plan']),
  event_type: z.string(),
  guard_name: z.string(),
  result: z.enum(['allowed', 'denied']).nullable(),
  reason: nullableText,
  context: z.record(z.string(), z.unknown()),
})
export type AuditEntryView = z.infer<typeof auditEntryView>

/** As a plan's metadata names them. The lists hold the newest; the counters are those of its whole life. */
const guardrailMetadataView = z.object({
  guardrail_audit_trail: z.object({
    allowed_count: z.number(),
    denied_count: z.number(),
    evicted_count: z.number(),
    max_entries: z.number(),
  }),
  autonomy_guardrails: z.object({
    max_steps: nullableNumber,
    tool_budget: nullableNumber,
    max_tokens: nullableNumber,
    max_wall_clock_seconds: nullableNumber,
    actor_limits: z.object({
      max_tool_calls_per_invocation: nullableNumber,
      max_retries_per_failure: nullableNumber,
    }),
    required_confirmations: z.array(z.string()),
    step_count: z.number(),
    /** As budgets count it: what has no known price at the assumed one. */
    budget_spent: z.number(),
    /** Of that, what is only assumed. */
    budget_assumed: z.number(),
    tokens_used: z.number(),
    start_time: nullableText,
  }),
})

export const auditView = z.object({
  plan_id: z.string(),
  /** Oldest first: the newest that fit the limit. */
  entries: z.array(auditEntryView),
  metadata: guardrailMetadataView,
})
export type AuditView = z.infer<typeof auditView>
