import * as z from 'zod'
import { decisionTypes } from '../../../domain/decision/decision.ts'
import { automationGateNames } from '../../../domain/gate/automation.ts'
import { type Gate, gateKinds } from '../../../domain/gate/gate.ts'
import { budgetLevels, limitSources, stoppingLimits } from '../../../domain/guardrails/limits.ts'
import { guardNames } from '../../../domain/guards/guard.ts'
import type { GateId, PlanId } from '../../../domain/ids.ts'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import { childRequest } from './actor-schema.ts'
import { confidenceFactors, decisionOption, gateConfidence } from './decision-schema.ts'
import { facts, id, relPath, strategyText } from './scalars.ts'

// Gates of before the kind was kept were about content.
const conflictKind = z
  .custom<ApplyConflict['kind']>(value => typeof value === 'string', 'not a kind of conflict')
  .default('content')

const gateSubject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('phase'),
    from: z.string(),
    to: z.string(),
    changesDigest: z.string().nullable(),
    summary: z.string(),
    strategy: strategyText.nullable().default(null),
  }),
  z.object({
    kind: z.literal('decision'),
    type: z.enum(decisionTypes),
    proposed: decisionOption,
    rationale: z.string(),
    guidance: z.string().nullable(),
  }),
  z.object({ kind: z.literal('tool'), tool: z.string(), input: facts, folder: z.string() }),
  z.object({
    kind: z.literal('guard'),
    guard: z.enum(guardNames),
    scope: z.enum(['PLAN', 'SUBPLAN']),
    tool: z.string(),
    folder: z.string(),
    command: z.string().nullable(),
    input: facts,
    marked: z.array(z.object({ start: z.number(), end: z.number(), text: z.string(), why: z.string() })),
  }),
  z.object({
    kind: z.literal('children'),
    mode: z.enum(['sequential', 'parallel']),
    maxParallel: z.number(),
    merge: z.enum(['three_way', 'last_wins', 'fail_on_conflict']),
    profile: z.string(),
    children: z.array(childRequest),
  }),
  z.object({
    kind: z.literal('merge_conflict'),
    child: z.object({ planId: id<PlanId>(), name: z.string() }),
    conflicts: z.array(z.object({ path: relPath, kind: conflictKind, reason: z.string() })),
    sides: z.array(z.object({ path: relPath, ours: z.string(), theirs: z.string() })),
  }),
  z.object({ kind: z.literal('ask') }),
  z.object({ kind: z.literal('error'), step: z.string(), message: z.string() }),
  z.object({ kind: z.literal('resume'), underWay: z.string() }),
  z.object({
    kind: z.literal('unfinished_apply'),
    folder: z.string(),
    written: z.array(relPath),
    waiting: z.array(relPath),
  }),
  z.object({
    kind: z.literal('constrained'),
    conflicts: z.array(z.object({ path: relPath, kind: conflictKind, reason: z.string() })),
    others: z.array(relPath).default([]),
  }),
  z.object({ kind: z.literal('validation'), command: z.string(), output: z.string() }),
  z.object({
    kind: z.literal('drift'),
    folder: z.string(),
    changes: z.array(z.object({ path: relPath, how: z.enum(['added', 'changed', 'removed']) })),
  }),
  z.object({
    kind: z.literal('limit'),
    limit: z.enum(stoppingLimits),
    level: z.enum(budgetLevels),
    planId: id<PlanId>().nullable(),
    of: z.string(),
    used: z.number(),
    max: z.number(),
    wanted: z.number(),
    source: z.enum(limitSources),
    raiseTo: z.number().nullable(),
  }),
  z.object({ kind: z.literal('trust'), folder: z.string(), wouldRun: z.array(z.string()) }),
])

const gateAnswer = z.object({
  decision: z.enum(['approve', 'reject', 'request_changes']),
  optionId: z.string().nullable(),
  note: z.string().nullable(),
  guidance: z.string().nullable(),
  part: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('paths'), only: z.array(relPath) }),
      z.object({ kind: z.literal('hunks'), patchBase64: z.string() }),
    ])
    .nullable()
    .default(null),
  grant: z.enum(['once', 'plan', 'profile']),
})

const gateStatus = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('resolved'), answer: gateAnswer, by: z.string(), at: z.string() }),
  z.object({ kind: z.literal('void'), reason: z.string(), at: z.string() }),
])

export const gateSchema: z.ZodType<Gate> = z.object({
  gateId: id<GateId>(),
  planId: id<PlanId>(),
  requestKey: z.string(),
  path: z.array(z.string()),
  kind: z.enum(gateKinds),
  automation: z.enum(automationGateNames).nullable(),
  phase: z.enum(['action', 'strategize', 'execute', 'apply']),
  question: z.string(),
  subject: gateSubject,
  options: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      description: z.string().nullable(),
      effect: z.enum(['approve', 'reject']),
    }),
  ),
  reason: z.string(),
  confidence: z.number().nullable(),
  threshold: z.number().nullable(),
  factors: confidenceFactors.nullable(),
  // Gates of before it was kept lack it.
  comparison: gateConfidence.nullable().default(null),
  digest: z.string(),
  confirmWord: z.string().nullable(),
  openedAt: z.string(),
  status: gateStatus,
})
