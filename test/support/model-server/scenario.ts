/**
 * A server that speaks as the providers of models do, for tests and for people who develop without a key. What it says
 * comes from a scenario file; it knows nothing of plans and actors. The format is described in docs/model-server.md.
 * Begin with server.ts.
 */
import * as z from 'zod'
import { readYaml } from '../../../src/infrastructure/yaml/yaml-source.ts'
import type { Asked } from './wire-format.ts'

const count = z.int().min(0)

const ruleSchema = z
  .strictObject({
    /** The number of the request that this server gets, from 1. */
    request: z.int().min(1),
    model: z.string(),
    /** In what was said since the model's last answer: a person's words and the results of tools. */
    contains: z.string(),
    /** In anything that was said, the system's text included. */
    anywhere: z.string(),
    /** Name of a tool that the request offers, or offers not. */
    offers: z.string(),
    lacks: z.string(),
  })
  .partial()

const faultSchema = z
  .strictObject({
    /** Refuses with this status instead of a reply. */
    status: z.int().min(400).max(599),
    /** Seconds, for the header Retry-After. */
    retry_after: z.number().min(0),
    message: z.string(),
    /** Refuses as a provider does whose model cannot read so much. */
    context_length: z.literal(true),
    /** Milliseconds before each event. */
    slow_ms: z.number().min(0),
    /** After so many events: the connection ends; nothing more is said; an event is no JSON. */
    cut_after: count,
    stall_after: count,
    malformed_after: count,
    /** After so many events the server says, inside the stream, that it is overloaded. */
    error_after: count,
  })
  .partial()

const replySchema = z.strictObject({
  when: ruleSchema.default({}),
  /** May be given any number of times; otherwise once. */
  again: z.boolean().default(false),
  reasoning: z.string().default(''),
  text: z.string().default(''),
  tools: z
    .array(
      z.strictObject({
        name: z.string(),
        /** A text is sent as it is, so that it can be malformed. */
        arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).default({}),
      }),
    )
    .default([]),
  usage: z.strictObject({ input: count, output: count, cached: count }).partial().default({}),
  finish: z.enum(['stop', 'length', 'refusal', 'other']).default('stop'),
  fault: faultSchema.default({}),
})

const scenarioSchema = z.strictObject({
  models: z.array(z.string()).min(1).default(['test-model', 'test-model-mini']),
  /** Without one, every key is right, and so is none. */
  key: z.string().optional(),
  /** Longer requests, at four characters to a token, are refused. */
  context_tokens: z.int().min(1).optional(),
  replies: z.array(replySchema).default([]),
})

export type Scenario = z.output<typeof scenarioSchema>
export type ScenarioInput = z.input<typeof scenarioSchema>
export type ScenarioReply = z.output<typeof replySchema>
export type Fault = z.output<typeof faultSchema>

/** Throws with the place of the error: a scenario is written by who runs it. */
export function readScenario(given: ScenarioInput | string): Scenario {
  if (typeof given !== 'string') return scenarioSchema.parse(given)
  const yaml = readYaml(given)
  if (!yaml.ok) throw new Error(`scenario:${yaml.position.line}:${yaml.position.column} ${yaml.message}`)
  const parsed = scenarioSchema.safeParse(yaml.document.value)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(({ path, message }) => {
    const keys = path.filter(each => typeof each !== 'symbol')
    const { line, column } = yaml.document.positionOf(keys)
    return `scenario:${line}:${column} ${keys.join('.')}: ${message}`
  })
  throw new Error(lines.join('\n'))
}

/** The first reply, in the order of the file, that is not used up and whose rule holds. */
export function replyChooser({
  replies,
}: Scenario): (asked: Asked, requestNumber: number) => ScenarioReply | null {
  const used = new Set<ScenarioReply>()
  return (asked, requestNumber) => {
    const chosen = replies.find(
      reply => (reply.again || !used.has(reply)) && holds(reply.when, asked, requestNumber),
    )
    if (chosen) used.add(chosen)
    return chosen ?? null
  }
}

function holds(rule: ScenarioReply['when'], asked: Asked, requestNumber: number): boolean {
  const { request, model, contains, anywhere, offers, lacks } = rule
  return (
    (request === undefined || request === requestNumber) &&
    (model === undefined || model === asked.model) &&
    (contains === undefined || asked.lastText.includes(contains)) &&
    (anywhere === undefined || asked.wholeText.includes(anywhere)) &&
    (offers === undefined || asked.tools.includes(offers)) &&
    (lacks === undefined || !asked.tools.includes(lacks))
  )
}
