import * as z from 'zod'
import {
  budgetLevels,
  type Guardrails,
  limitSources,
  limitsSchema,
  noGuardrails,
  stoppingLimits,
} from '../../../domain/guardrails/limits.ts'
import { guardOverlaySchema } from '../../../domain/guards/guard-overlay.ts'
import type { DecisionId, PlanId } from '../../../domain/ids.ts'
import { positions } from '../../../domain/plan/lifecycle.ts'
import type { Plan } from '../../../domain/plan/plan.ts'
import { preflightCheckSchema } from '../../../domain/preflight/preflight.ts'
import {
  automationProfileSchema,
  profileSources,
  safetyProfileSchema,
} from '../../../domain/profile/profile.ts'
import { safetySourceNames } from '../../../domain/profile/safety.ts'
import { sandboxStrategyNames } from '../../../domain/sandbox/strategy.ts'
import { actionSchema, argumentValue } from './action-schema.ts'
import { changeCounts } from './decision-schema.ts'
import { activeInvariantSchema } from './invariant-schema.ts'
import { resourceSchema } from './resource-schema.ts'
import { id, sandboxState, strategyText } from './scalars.ts'

const projectBrief = z.object({
  name: z.string(),
  root: z.string(),
  languages: z.array(z.string()),
  checks: z.array(
    z.object({ name: z.string(), command: z.string(), kind: z.enum(['test', 'lint', 'types', 'build']) }),
  ),
})

const limitSource = z.enum(limitSources)

export const excessSchema = z.object({
  limit: z.enum(stoppingLimits),
  level: z.enum(budgetLevels),
  planId: id<PlanId>().nullable(),
  of: z.string(),
  used: z.number(),
  max: z.number(),
  wanted: z.number(),
  source: limitSource,
  reason: z.string(),
})

/** Plans of before there were models have no limit of tokens. */
export const storedLimits = limitsSchema.extend({ maxTokens: limitsSchema.shape.maxTokens.default(null) })

const guardrails = z.object({
  limits: storedLimits,
  sources: z.custom<Guardrails['sources']>(value => sources.safeParse(value).success, 'no sources of limits'),
  exceeded: excessSchema.nullable(),
})

// exactOptionalPropertyTypes: a key is there with a value or not there at all, as JSON has it.
const sources = z.partialRecord(limitsSchema.keyof(), limitSource)
const safetyFields = safetyProfileSchema.keyof().options

export const planSchema: z.ZodType<Plan> = z.object({
  planId: id<PlanId>(),
  name: z.string(),
  action: actionSchema,
  project: projectBrief,
  parentPlanId: id<PlanId>().nullable(),
  rootPlanId: id<PlanId>(),
  spawnDecisionId: id<DecisionId>().nullable(),
  // Plans of before there were children stand alone.
  spawnKey: z.string().nullable().default(null),
  appliesTo: z.enum(['project', 'parent']).default('project'),
  startsFrom: z.object({ planId: id<PlanId>(), state: sandboxState }).nullable().default(null),
  position: z.enum(positions),
  remembered: z.enum(positions).nullable(),
  reason: z.string().nullable(),
  attempt: z.number(),
  reversions: z.number(),
  preflight: z.array(preflightCheckSchema).nullable().default(null),
  profile: automationProfileSchema,
  // Plans of before there were limits have none.
  guardrails: guardrails.default(noGuardrails),
  profileSource: z.enum(profileSources),
  // Of plans of before this was kept, only what holds is known.
  safetySources: z.partialRecord(z.enum(safetyFields), z.enum(safetySourceNames)).default({}),
  guardOverlay: guardOverlaySchema.nullable().default(null),
  args: z.record(z.string(), argumentValue.nullable()),
  invariants: z.array(activeInvariantSchema),
  guidance: z.array(z.string()),
  constraints: z.array(z.string()).default([]),
  // Plans of before there were model actors have none.
  strategy: strategyText.nullable().default(null),
  // Plans of before these were known were all made so.
  sandbox: z.enum(sandboxStrategyNames).default('git_worktree'),
  sandboxNotice: z.string().nullable().default(null),
  resources: z.array(resourceSchema).default([]),
  appliedState: sandboxState.nullable().default(null),
  left: changeCounts.nullable().default(null),
  confinement: z.enum(['bubblewrap', 'none']).nullable().default(null),
  takenBackBy: id<PlanId>().nullable().default(null),
  notices: z.array(z.string()),
  changes: changeCounts.nullable(),
  contextId: z.string(),
  workRemovedAt: z.string().nullable().default(null),
  createdAt: z.string(),
  updatedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
