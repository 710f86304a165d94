import * as z from 'zod'
import type { PlanEventBody } from '../../../application/ports/event-log.ts'
import { guardNames } from '../../../domain/guards/guard.ts'
import { guardChangeSchema } from '../../../domain/guards/guard-overlay.ts'
import type { CorrectionId, DecisionId, GateId, StepId } from '../../../domain/ids.ts'
import { automationProfileSchema } from '../../../domain/profile/profile.ts'
import { changeCounts, decisionSchema, influenceSchema, judgementSchema } from './decision-schema.ts'
import { gateSchema } from './gate-schema.ts'
import { checkpointSchema, correctionSchema, processIdentity, stepSchema } from './journal-schema.ts'
import { planSchema, storedLimits } from './plan-schema.ts'
import { id } from './scalars.ts'

export const eventBodySchema: z.ZodType<PlanEventBody> = z.discriminatedUnion('type', [
  z.object({
    type: z.enum([
      'PLAN_CREATED',
      'PLAN_PHASE_CHANGED',
      'PLAN_STATE_CHANGED',
      'PLAN_APPLIED',
      'PLAN_CANCELLED',
      'PLAN_ERRORED',
    ]),
    plan: planSchema,
  }),
  z.object({
    type: z.literal('DECISION_RECORDED'),
    decision: decisionSchema,
    influences: z.array(influenceSchema),
  }),
  z.object({ type: z.literal('DECISION_WORK_DONE'), decisionId: id<DecisionId>(), changes: changeCounts }),
  z.object({
    type: z.literal('DECISIONS_SUPERSEDED'),
    decisionIds: z.array(id<DecisionId>()),
    reason: z.enum(['correction', 'rollback', 'revision']),
    correctionId: id<CorrectionId>().nullable(),
    supersededBy: id<DecisionId>().nullable(),
  }),
  z.object({ type: z.literal('DECISIONS_RESTORED'), decisionIds: z.array(id<DecisionId>()) }),
  z.object({ type: z.enum(['STEP_STARTED', 'STEP_FINISHED']), step: stepSchema }),
  z.object({ type: z.literal('STEP_OUTPUT'), stepId: id<StepId>(), text: z.string() }),
  z.object({
    type: z.literal('GUARD_STOPPED'),
    guard: z.enum(guardNames),
    tool: z.string(),
    reason: z.string(),
    scope: z.enum(['PLAN', 'SUBPLAN']),
    gateId: id<GateId>(),
  }),
  z.object({
    type: z.literal('GUARDS_CHANGED'),
    change: guardChangeSchema,
    loosened: z.array(z.string()),
    reason: z.string().nullable(),
    by: z.string(),
  }),
  z.object({ type: z.literal('GATE_PASSED'), judgement: judgementSchema }),
  z.object({ type: z.enum(['GATE_OPENED', 'GATE_RESOLVED', 'GATE_VOIDED']), gate: gateSchema }),
  z.object({ type: z.literal('CHECKPOINT_CREATED'), checkpoint: checkpointSchema }),
  z.object({
    type: z.literal('CHECKPOINT_RESTORED'),
    restored: z.array(z.string()),
    removed: z.array(z.string()),
  }),
  z.object({
    type: z.literal('ARTIFACT_PRODUCED'),
    name: z.string(),
    kind: z.string(),
    bytes: z.number(),
  }),
  z.object({
    type: z.literal('COST_CHARGED'),
    usd: z.number().nullable(),
    planUsd: z.number().nullable(),
    // Calls of before there were models used none.
    tokens: z.number().default(0),
    planTokens: z.number().default(0),
  }),
  z.object({ type: z.enum(['CORRECTION_STARTED', 'CORRECTION_FINISHED']), correction: correctionSchema }),
  z.object({ type: z.literal('LIMITS_CHANGED'), before: storedLimits, after: storedLimits, by: z.string() }),
  z.object({
    type: z.literal('PROFILE_CHANGED'),
    from: automationProfileSchema,
    to: automationProfileSchema,
    reason: z.string(),
    by: z.string(),
  }),
  z.object({ type: z.literal('LEASE_CHANGED'), holder: processIdentity.nullable() }),
])
