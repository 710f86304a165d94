import * as z from 'zod'
import type { ActorRequest, Outcome } from '../../../domain/actor/actor.ts'
import { decisionTypes } from '../../../domain/decision/decision.ts'
import { type FailureCode, failureCodes } from '../../../domain/failure.ts'
import type { DecisionId, PlanId } from '../../../domain/ids.ts'
import { assistantMessageSchema, messageSchema } from '../../../domain/model/message-schema.ts'
import { changeCounts, decisionOption } from './decision-schema.ts'
import { facts, id, messageIdSchema, sandboxState } from './scalars.ts'

const failure = z.object({
  code: z.enum(Object.keys(failureCodes) as FailureCode[]), // keys of a constant literal
  message: z.string(),
  facts,
})

const influencedBy = z.array(z.object({ key: z.string(), why: z.string() }))

export const childRequest = z.object({
  key: z.string(),
  action: z.string(),
  args: facts,
  guidance: z.string().nullable(),
  after: z.array(z.string()),
})

export const actorRequestSchema: z.ZodType<ActorRequest> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('record_decision'),
    step: z.string(),
    key: z.string(),
    type: z.enum(decisionTypes),
    question: z.string(),
    options: z.array(decisionOption),
    chosen: z.string(),
    confidence: z.number().nullable(),
    rationale: z.string(),
    dependsOn: z.array(z.string()),
    influencedBy,
    parentKey: z.string().nullable(),
    unclearGuidance: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('call_tool'),
    step: z.string(),
    tool: z.string(),
    input: facts,
    // Calls of before there were costs cost nothing.
    costUsd: z.number().default(0),
    influencedBy,
  }),
  z.object({
    kind: z.literal('validate'),
    step: z.string(),
    command: z.string(),
    mode: z.enum(['required', 'informational']),
    network: z.boolean().default(false),
    origin: z.enum(['action', 'project']),
    fixable: z.boolean().default(false),
    influencedBy: influencedBy.default([]),
  }),
  z.object({
    kind: z.literal('ask'),
    step: z.string(),
    question: z.string(),
    options: z.array(decisionOption),
    influencedBy: influencedBy.default([]),
  }),
  z.object({
    kind: z.literal('spawn_plans'),
    step: z.string(),
    children: z.array(childRequest),
    mode: z.enum(['sequential', 'parallel']),
    maxParallel: z.number(),
    merge: z.enum(['three_way', 'last_wins', 'fail_on_conflict']),
    influencedBy,
  }),
  z.object({
    kind: z.literal('finish'),
    step: z.string(),
    note: z.string().nullable(),
    fixesChecks: z.boolean().default(false),
    strategy: z.string().nullable().default(null),
    claims: z.array(z.string()).nullable().default(null),
  }),
  z.object({
    kind: z.literal('call_model'),
    step: z.string(),
    model: z.string(),
    after: messageIdSchema.nullable(),
    say: z.array(messageSchema),
    tools: z.array(z.string()),
    maxOutputTokens: z.number(),
  }),
  z.object({ kind: z.literal('give_up'), step: z.string(), constraint: z.string() }),
  z.object({ kind: z.literal('fail'), step: z.string(), failure }),
])

const checkReport = z.object({
  validation: z.string().nullable(),
  command: z.string(),
  mode: z.enum(['required', 'informational']),
  origin: z.enum(['action', 'project']),
  network: z.boolean(),
  state: sandboxState,
  output: z.string(),
  data: z.unknown(),
  fixAttempt: z.number(),
})

export const outcomeSchema: z.ZodType<Outcome> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('decided'), decisionId: id<DecisionId>(), optionId: z.string() }),
  z.object({ kind: z.literal('decision_rejected'), optionId: z.string(), note: z.string().nullable() }),
  z.object({ kind: z.literal('guided'), guidance: z.string() }),
  z.object({ kind: z.literal('tool_result'), output: facts }),
  z.object({ kind: z.literal('tool_refused'), failure }),
  z.object({
    kind: z.literal('validated'),
    result: z.enum(['passed', 'failed', 'not_run']),
    exitCode: z.number().nullable(),
    message: z.string(),
    report: checkReport.nullable().default(null),
  }),
  z.object({ kind: z.literal('answered'), optionId: z.string().nullable(), note: z.string().nullable() }),
  z.object({
    kind: z.literal('spawned'),
    children: z.array(
      z.object({
        key: z.string(),
        planId: id<PlanId>(),
        state: z.enum(['complete', 'errored', 'cancelled']),
        changes: changeCounts.nullable(),
      }),
    ),
  }),
  z.object({
    kind: z.literal('model_replied'),
    head: messageIdSchema,
    reply: assistantMessageSchema,
    usage: z.object({
      inputTokens: z.number().nullable(),
      outputTokens: z.number().nullable(),
      cachedInputTokens: z.number().nullable(),
    }),
  }),
  z.object({ kind: z.literal('model_refused'), failure }),
  z.object({ kind: z.literal('finish_refused'), failure }),
  z.object({ kind: z.literal('retry') }),
])
