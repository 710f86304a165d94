import * as z from 'zod'
import { decisionTypes } from '../../../domain/decision/decision.ts'
import { automationGateNames } from '../../../domain/gate/automation.ts'
import type {
  CheckpointId,
  CorrectionId,
  DecisionId,
  GateId,
  GrantId,
  PlanId,
  RequestId,
  StepId,
} from '../../../domain/ids.ts'
import type {
  Checkpoint,
  Correction,
  Cursor,
  Grant,
  Lease,
  OwnerRequest,
  Step,
} from '../../../domain/plan/journal.ts'
import type { Work } from '../../../domain/plan/work.ts'
import { actorRequestSchema, outcomeSchema } from './actor-schema.ts'
import { changeCounts, standingSchema } from './decision-schema.ts'
import { facts, id, paths, sandboxState } from './scalars.ts'

const correctionRef = z.object({
  correctionId: id<CorrectionId>(),
  correctsDecisionId: id<DecisionId>(),
})

export const cursorSchema: z.ZodType<Cursor> = z.object({
  planId: id<PlanId>(),
  phase: z.enum(['strategize', 'execute']),
  stateRef: z.string(),
  pending: actorRequestSchema.nullable(),
  outcome: outcomeSchema,
  turn: z.number(),
  decisionId: id<DecisionId>().nullable(),
  underKept: z.boolean().default(false),
  sandboxState,
  written: paths,
  base: sandboxState.nullable().default(null),
  correction: correctionRef.nullable(),
})

export const stepSchema: z.ZodType<Step> = z.object({
  stepId: id<StepId>(),
  planId: id<PlanId>(),
  attempt: z.number(),
  phase: z.enum(['strategize', 'execute', 'apply']),
  path: z.string(),
  kind: z.enum(['model', 'tool', 'validate', 'ask', 'apply', 'restore', 'adopt', 'spawn', 'finish']),
  tool: z.string().nullable(),
  input: facts,
  readOnly: z.boolean(),
  decisionId: id<DecisionId>().nullable(),
  idempotencyKey: z.string(),
  status: z.enum(['authorised', 'started', 'done', 'failed', 'interrupted', 'refused']),
  outcome: outcomeSchema.nullable(),
  summary: z.string(),
  read: paths,
  written: paths,
  authorisedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  takenBackAt: z.string().nullable().default(null),
})

export const checkpointSchema: z.ZodType<Checkpoint> = z.object({
  checkpointId: id<CheckpointId>(),
  planId: id<PlanId>(),
  decisionId: id<DecisionId>().nullable(),
  label: z.string(),
  resource: z.string(),
  state: sandboxState,
  createdAt: z.string(),
  origin: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('decision'), base: sandboxState.nullable().default(null) }),
      z.object({
        kind: z.literal('safety'),
        cursor: cursorSchema,
        activeIds: z.array(id<DecisionId>()),
        standings: z.array(z.object({ decisionId: id<DecisionId>(), standing: standingSchema })).default([]),
        line: z.array(z.number()).default([]),
        spawns: z.array(stepSchema).default([]),
        reversions: z.number(),
        guidance: z.array(z.string()),
        changes: changeCounts.nullable(),
      }),
    ])
    .default({ kind: 'decision', base: null }),
})

export const workSchema: z.ZodType<Work> = z.object({
  seq: z.number(),
  planId: id<PlanId>(),
  decisionId: id<DecisionId>().nullable(),
  from: sandboxState.nullable(),
  to: sandboxState,
  base: sandboxState.nullable(),
})

export const correctionSchema: z.ZodType<Correction> = z.object({
  correctionId: id<CorrectionId>(),
  planId: id<PlanId>(),
  targetDecisionId: id<DecisionId>(),
  mode: z.enum(['revert', 'append']),
  guidance: z.string(),
  status: z.enum(['running', 'done', 'failed']),
  attempt: z.number(),
  supersededIds: z.array(id<DecisionId>()),
  childPlanId: id<PlanId>().nullable().default(null),
  safetyState: sandboxState.nullable(),
  failure: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})

export const grantSchema: z.ZodType<Grant> = z.object({
  grantId: id<GrantId>(),
  scope: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('plan'), planId: id<PlanId>() }),
    z.object({ kind: z.literal('profile'), profile: z.string() }),
  ]),
  gate: z.enum([...automationGateNames, 'step_approval']),
  decisionType: z.enum(decisionTypes).nullable(),
  tool: z.string().nullable(),
  grantedBy: z.string(),
  gateId: id<GateId>(),
  grantedAt: z.string(),
  revokedAt: z.string().nullable(),
})

export const processIdentity = z.object({ pid: z.number(), startedAt: z.string() })

export const leaseSchema: z.ZodType<Lease> = z.object({
  planId: id<PlanId>(),
  holder: processIdentity,
  takenAt: z.string(),
  heartbeatAt: z.string(),
})

export const requestSchema: z.ZodType<OwnerRequest> = z.object({
  requestId: id<RequestId>(),
  planId: id<PlanId>(),
  kind: z.enum(['yield_now', 'yield_after_step']),
  by: processIdentity,
  createdAt: z.string(),
  takenAt: z.string().nullable(),
})
