import * as z from 'zod'
import { type Decision, decisionTypes } from '../../../domain/decision/decision.ts'
import type { Influence } from '../../../domain/decision/influence.ts'
import { automationGateNames } from '../../../domain/gate/automation.ts'
import type { Judgement } from '../../../domain/gate/judgement.ts'
import type { CheckpointId, CorrectionId, DecisionId, PlanId } from '../../../domain/ids.ts'
import { id } from './scalars.ts'

export const decisionOption = z.object({
  id: z.string(),
  label: z.string(),
  rationale: z.string().nullable(),
})

export const confidenceFactors = z.object({
  success: z.number(),
  familiarity: z.number(),
  risk: z.number(),
  invariants: z.number(),
})

export const changeCounts = z.object({ files: z.number(), additions: z.number(), deletions: z.number() })

export const gateConfidence = z.object({
  gate: z.enum(automationGateNames),
  effective: z.number(),
  computed: z.number(),
  stated: z.number().nullable(),
  threshold: z.number(),
  factors: confidenceFactors,
  weights: confidenceFactors,
})

export const judgementSchema: z.ZodType<Judgement> = z.object({
  planId: id<PlanId>(),
  about: z.string(),
  confidence: gateConfidence,
  outcome: z.enum(['passed', 'asked']),
  at: z.string(),
})

const decisionStatus = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('active') }),
  z.object({
    kind: z.literal('superseded'),
    reason: z.enum(['correction', 'rollback', 'revision']),
    supersededBy: id<DecisionId>().nullable(),
    correctionId: id<CorrectionId>().nullable(),
    why: z.string().nullable().default(null),
  }),
])

export const standingSchema = z.object({ place: z.number(), actorStateRef: z.string().nullable() })

export const decisionSchema: z.ZodType<Decision> = z.object({
  decisionId: id<DecisionId>(),
  planId: id<PlanId>(),
  number: z.number(),
  parentDecisionId: id<DecisionId>().nullable(),
  type: z.enum(decisionTypes),
  phase: z.enum(['action', 'strategize', 'execute']),
  key: z.string().nullable(),
  question: z.string(),
  proposed: z.string().nullable().default(null),
  chosenOption: decisionOption,
  alternatives: z.array(decisionOption),
  confidence: z.number().nullable(),
  gateConfidence: gateConfidence.nullable(),
  decidedBy: z.enum(['actor', 'profile', 'human', 'system']),
  rationale: z.string(),
  contextSnapshot: z.object({
    actorStateRef: z.string(),
    hotContextHash: z.string(),
    relevantResources: z.array(z.string()),
  }),
  attempt: z.number(),
  correction: z.object({ correctionId: id<CorrectionId>(), correctsDecisionId: id<DecisionId>() }).nullable(),
  status: decisionStatus,
  // Events of before it was kept lack it; rows have it from the migration.
  standing: standingSchema.default({ place: 0, actorStateRef: null }),
  changes: changeCounts.nullable(),
  checkpointId: id<CheckpointId>().nullable(),
  createdAt: z.string(),
})

export const influenceSchema: z.ZodType<Influence> = z.object({
  upstreamDecisionId: id<DecisionId>(),
  downstream: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('decision'), decisionId: id<DecisionId>() }),
    z.object({ kind: z.literal('plan'), planId: id<PlanId>() }),
  ]),
  origin: z.enum(['declared', 'derived']),
  why: z.string(),
})
