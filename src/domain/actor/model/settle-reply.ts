import { canonicalJson } from '../../canonical-json.ts'
import { type AssistantMessage, textOf, toolCallsOf } from '../../model/message.ts'
import { estimatedTokens } from '../../model/usage.ts'
import type { Outcome } from '../actor.ts'
import { tokensToSay } from './model-request.ts'
import { type ModelState, stopWith, withNote } from './model-state.ts'
import { CUT, repeatedText, SILENT } from './prompts.ts'
import { MOST_CALLS, MOST_REPEATED, MOST_SILENT } from './terms.ts'

type Replied = Extract<Outcome, { kind: 'model_replied' }>

/** Takes an answer of the model: its calls are what the actor asks for next, one after the other. */
export function settleReply(state: ModelState, outcome: Replied): ModelState {
  return state.isCompacting
    ? settleSummary(state, outcome)
    : takeCalls(heardBy(state, outcome), outcome.reply)
}

/** Everything that was to be said is in the tree. */
function heardBy(state: ModelState, { head, reply, usage }: Replied): ModelState {
  const { inputTokens, outputTokens } = usage
  const guessed = state.tokens + tokensToSay(state) + tokensOf(reply)
  const counted = inputTokens === null || outputTokens === null ? guessed : inputTokens + outputTokens
  return {
    ...state,
    head,
    tokens: counted,
    answers: state.answers + 1,
    answered: 0,
    unsaid: [],
    results: [],
    notes: [],
  }
}

function tokensOf({ parts }: AssistantMessage): number {
  return parts.reduce(
    (sum, part) => sum + estimatedTokens(part.kind === 'tool_call' ? part.input : part.text),
    0,
  )
}

function takeCalls(state: ModelState, reply: AssistantMessage): ModelState {
  const calls = toolCallsOf(reply).map(({ callId, tool, input }) => ({ callId, tool, input }))
  if (calls.length === 0) return silent(state, reply)
  const tooMany = calls.slice(MOST_CALLS).map(({ callId, tool }) => ({
    callId,
    tool,
    text: `Not done: one answer makes at most ${MOST_CALLS} calls. Call it again.`,
    isError: true,
  }))
  return countRepeated({
    ...state,
    silent: 0,
    calls: calls.slice(0, MOST_CALLS),
    results: tooMany,
    notes: reply.isCut ? [CUT] : [],
  })
}

function silent(state: ModelState, reply: AssistantMessage): ModelState {
  const next = withNote({ ...state, silent: state.silent + 1 }, reply.isCut ? CUT : SILENT)
  if (next.silent <= MOST_SILENT) return next
  return stopWith(next, `The model answered ${next.silent} times in a row without calling a tool.`)
}

function countRepeated(state: ModelState): ModelState {
  const calls = fingerprint(canonicalJson(state.calls.map(({ tool, input }) => [tool, input])))
  const times = calls === state.repeated.calls ? state.repeated.times + 1 : 1
  const next: ModelState = { ...state, repeated: { calls, times } }
  if (times >= MOST_REPEATED)
    return stopWith(next, `The model made the very same calls ${times} times in a row.`)
  return times >= 3 ? withNote(next, repeatedText(times)) : next
}

/** Tells texts apart, cheaply and in a few characters (FNV-1a). Nothing is protected by it. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return `${text.length}:${hash.toString(16)}`
}

/** What it stands for stays in the tree. What was still to be said is said after it. */
function settleSummary(state: ModelState, { head, reply }: Replied): ModelState {
  const text = textOf(reply).trim()
  if (text === '') return stopWith(state, 'The model gave no summary of a history that is too long for it.')
  return {
    ...state,
    head,
    unsaid: [...state.unsaid, { role: 'summary', text }],
    tokens: state.openingTokens + estimatedTokens(text),
    isCompacting: false,
    compactedAt: state.answers,
  }
}

/** Too much to read is summed up, once; everything else the actor can do nothing about. */
export function settleRefusal(
  state: ModelState,
  { failure }: Extract<Outcome, { kind: 'model_refused' }>,
): ModelState {
  const isTooLong = failure.facts['reason'] === 'context_length'
  const canSumUp = state.head !== null && !state.isCompacting && state.compactedAt !== state.answers
  return isTooLong && canSumUp ? { ...state, isCompacting: true } : { ...state, stopped: failure }
}
