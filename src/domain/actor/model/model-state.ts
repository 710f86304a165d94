import * as z from 'zod'
import { type Failure, refuse } from '../../failure.ts'
import type { MessageId } from '../../ids.ts'
import type { ActorState, KeptDecision } from '../actor.ts'

const messageId = z.custom<MessageId>(value => typeof value === 'string')

const said = z.strictObject({ role: z.enum(['system', 'user', 'summary']), text: z.string() })

const call = z.strictObject({ callId: z.string(), tool: z.string(), input: z.string() })

const result = z.strictObject({
  callId: z.string(),
  tool: z.string(),
  text: z.string(),
  isError: z.boolean(),
})

const failure = z.custom<Failure>(value => typeof value === 'object' && value !== null)

const modelStateSchema = z.strictObject({
  kind: z.literal('model'),
  phase: z.enum(['strategize', 'execute']),
  /** The last message of the tree that this actor stands on; null before the first answer. */
  head: messageId.nullable(),
  /** What the next request says first: the opening, or a summary. */
  unsaid: z.array(said),
  /** Calls of the last answer that are still to be answered; the first is what the actor asks for. */
  calls: z.array(call),
  /** How many calls of the last answer came before those. */
  answered: z.number(),
  /** Said together, in one message, with the next request. */
  results: z.array(result),
  /** Words of people and of ours, said after the results. */
  notes: z.array(z.string()),
  /** The decision about children was made, and the same call starts them. */
  isSpawning: z.boolean(),
  /** Decisions that a correction kept and that are asked for again before the model is. */
  toKeep: z.array(z.custom<KeptDecision>(value => typeof value === 'object' && value !== null)),
  /** What the model is told about those that were. */
  kept: z.array(z.string()),
  /** Keys of the decisions that hold, which later ones can name. */
  keys: z.array(z.string()),
  /** Guidance that the model was told. */
  heard: z.array(z.string()),
  /** Answers of the model so far, and how many it may give before a person is asked. */
  answers: z.number(),
  mostAnswers: z.number(),
  /** About how many tokens it reads with everything up to `head`, and with the opening alone. */
  tokens: z.number(),
  openingTokens: z.number(),
  /** What went wrong how often, one after the other. */
  malformed: z.number(),
  silent: z.number(),
  repeated: z.strictObject({ calls: z.string(), times: z.number() }),
  /** The model is asked for a summary of what was said so far. */
  isCompacting: z.boolean(),
  /** `answers` at the last summary. */
  compactedAt: z.number().nullable(),
  /** Why the actor cannot go on. */
  stopped: failure.nullable(),
})

/** Small: what was said is in the tree of messages, and `head` names it. */
export type ModelState = z.output<typeof modelStateSchema>
export type PendingCall = z.output<typeof call>

/** Throws on anything but a state that a model actor stored: that is a bug or a damaged store, not an answer. */
export function readModelState(state: ActorState): ModelState {
  return modelStateSchema.parse(state)
}

/** The first call has its result. */
export function answerCall(
  state: ModelState,
  { text, isError = false }: { readonly text: string; readonly isError?: boolean },
): ModelState {
  const [first, ...calls] = state.calls
  if (!first) throw new Error('a model actor was answered, and its model had called nothing')
  const { callId, tool } = first
  return {
    ...state,
    calls,
    isSpawning: false,
    answered: state.answered + 1,
    results: [...state.results, { callId, tool, text, isError }],
  }
}

/** Calls that were chosen before something happened that they could not know. */
export function dropCalls(state: ModelState, why: string): ModelState {
  const { calls } = state
  return {
    ...state,
    calls: [],
    isSpawning: false,
    answered: state.answered + calls.length,
    results: [
      ...state.results,
      ...calls.map(({ callId, tool }) => ({ callId, tool, text: `Not done: ${why}`, isError: true })),
    ],
  }
}

export function withNote(state: ModelState, note: string): ModelState {
  return { ...state, notes: [...state.notes, note] }
}

export function stopWith(state: ModelState, message: string): ModelState {
  return { ...state, stopped: refuse('step_failed', message).failure }
}
