import { assertNever, type Failure } from '../../failure.ts'
import type { ActorRequest, DecisionRequest, Outcome } from '../actor.ts'
import { keptRequest, mostCharacters } from './model-request.ts'
import { answerCall, dropCalls, type ModelState, withNote } from './model-state.ts'
import {
  decideAgainText,
  droppedText,
  FAILED_REST,
  GUIDED_REST,
  guidanceText,
  keptLine,
  keptText,
  REPEATED_REST,
} from './prompts.ts'
import { type Reading, readCall } from './read-call.ts'
import { answerText, checkText, childrenText, failureText, toolResultText } from './result-text.ts'
import { settleRefusal, settleReply } from './settle-reply.ts'
import { startsChildren } from './spawn-call.ts'
import { MOST_REPEATED } from './terms.ts'

/** Takes what came of the last request into the state. An outcome of another kind of request is a bug and throws. */
export function settle(reading: Reading, outcome: Outcome): ModelState {
  const { state } = reading
  switch (outcome.kind) {
    case 'none':
      return resume(reading)
    case 'guided':
      return guided({ ...reading, state: meetBrief(reading) }, outcome.guidance)
    case 'retry':
      return retry(reading)
    case 'model_replied':
      return settleReply(state, outcome)
    case 'model_refused':
      return settleRefusal(state, outcome)
    case 'decided':
      return decided(reading, outcome.optionId)
    case 'decision_rejected':
      return rejected(state, outcome)
    case 'tool_result':
      return answerCall(withoutMalformed(state), {
        text: toolResultText(
          state.calls[0]?.tool ?? '',
          outcome.output,
          mostCharacters(reading.terms, state),
        ),
      })
    case 'tool_refused':
    case 'finish_refused':
      return refused(reading, outcome.failure)
    case 'validated':
      return validated(reading, outcome)
    case 'answered':
      return answerCall(withoutMalformed(state), { text: answerText(outcome, optionsOf(pending(reading))) })
    case 'spawned': {
      const isError = outcome.children.some(child => child.state !== 'complete')
      return answerCall(withoutMalformed(state), { text: childrenText(outcome.children), isError })
    }
    default:
      return assertNever(outcome)
  }
}

/** What the first call of the last answer asks for; null where the actor waits for no call. */
function pending({ state, ...reading }: Reading): ActorRequest | null {
  const [kept] = state.toKeep
  if (kept) return keptRequest(kept)
  const [call] = state.calls
  const read = call ? readCall({ ...reading, state }, call) : null
  return read === null || read.kind === 'complaint' ? null : read
}

function withoutMalformed(state: ModelState): ModelState {
  return { ...state, malformed: 0 }
}

/**
 * The phase begins, or a correction or a rollback resumes here: at a decision the guidance is what came of its call, so
 * that the model reads exactly what it had read then, and that.
 */
function resume(reading: Reading): ModelState {
  const { state } = reading
  const words = unheard(state, reading)
  const isDeciding = pending(reading)?.kind === 'record_decision' && state.toKeep.length === 0
  if (words.length === 0 || !isDeciding) return meetBrief(reading)
  const heard = [...state.heard, ...words]
  const answered = answerCall({ ...state, heard }, { text: decideAgainText(words), isError: true })
  return meetBrief({ ...reading, state: dropCalls(answered, GUIDED_REST) })
}

/** Decisions that were kept and are still to be come to; some may have been let go meanwhile. */
function meetBrief({ state, brief }: Reading): ModelState {
  const toKeep = brief.kept.filter(({ key }) => !state.keys.includes(key))
  const dropped = state.toKeep.filter(({ key }) => !toKeep.some(each => each.key === key))
  return dropped.map(droppedText).reduce(withNote, { ...state, toKeep })
}

/** What people said since, between decisions: it reaches a running plan with its brief. */
export function hearGuidance(reading: Reading): ModelState {
  const { state } = reading
  const words = unheard(state, reading)
  return words.map(guidanceText).reduce(withNote, { ...state, heard: [...state.heard, ...words] })
}

/** The same words may have been said twice. */
function unheard({ heard }: ModelState, { brief }: Reading): string[] {
  const left = [...heard]
  return brief.guidance.filter(words => {
    const index = left.indexOf(words)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

function guided(reading: Reading, guidance: string): ModelState {
  const state: ModelState = { ...reading.state, stopped: null, malformed: 0, silent: 0 }
  const [call] = state.calls
  if (!call || state.toKeep.length > 0) return withNote(state, guidanceText(guidance))
  const isDecision = pending({ ...reading, state })?.kind === 'record_decision'
  const text = isDecision ? decideAgainText([guidance]) : `Not done. ${guidanceText(guidance)}`
  return dropCalls(answerCall(state, { text, isError: true }), GUIDED_REST)
}

/** A person wants it tried again: whatever was counted begins anew. */
function retry(reading: Reading): ModelState {
  const { state } = reading
  const again: ModelState = {
    ...state,
    stopped: null,
    malformed: 0,
    silent: 0,
    repeated: { calls: '', times: 0 },
    mostAnswers: Math.max(state.mostAnswers, state.answers + 50),
  }
  // The plan itself ends where the same call comes once more, whoever wanted to go on.
  if (state.repeated.times >= MOST_REPEATED) return dropCalls(again, REPEATED_REST)
  const gaveUp = state.stopped === null && pending(reading)?.kind === 'give_up'
  return gaveUp ? answerCall(again, { text: guidanceText('try again'), isError: true }) : again
}

function decided(reading: Reading, optionId: string): ModelState {
  const { state } = reading
  const request = pending(reading)
  if (request?.kind !== 'record_decision') throw new Error('a model actor asked for no decision')
  const known: ModelState = { ...state, malformed: 0, keys: [...new Set([...state.keys, request.key])] }
  const [kept, ...toKeep] = state.toKeep
  if (kept) return keptMet({ ...known, toKeep, kept: [...state.kept, keptLine(kept)] })
  const isSpawn = state.calls[0]?.tool === 'spawn_plans'
  if (isSpawn && startsChildren(optionId)) return { ...known, isSpawning: true }
  return answerCall(known, { text: decidedText(request, optionId) })
}

function keptMet(state: ModelState): ModelState {
  return state.toKeep.length > 0 ? state : withNote({ ...state, kept: [] }, keptText(state.kept))
}

function decidedText({ key, chosen, options, type }: DecisionRequest, optionId: string): string {
  const label = options.find(({ id }) => id === optionId)?.label ?? optionId
  if (optionId === chosen) return `Recorded as ${key}.`
  if (type === 'subplan_spawn' || type === 'subplan_parallel_spawn')
    return `Recorded as ${key}: a person decided that no child plan is started. Go on without.`
  return `Recorded as ${key}, but a person chose ${optionId} (${label}). That holds; go on with it.`
}

function rejected(
  state: ModelState,
  { optionId, note }: Extract<Outcome, { kind: 'decision_rejected' }>,
): ModelState {
  const why = note === null || note.trim() === '' ? '' : ` They say: ${note}`
  const text = `Not recorded. A person rejected ${optionId}.${why} Decide again, for something else.`
  const [kept, ...toKeep] = state.toKeep
  if (kept) return withNote({ ...state, toKeep }, droppedText(kept))
  return dropCalls(answerCall({ ...state, malformed: 0 }, { text, isError: true }), GUIDED_REST)
}

/** What else was asked for in the same answer goes on, save what ends the work. */
function refused({ terms, state }: Reading, failure: Failure): ModelState {
  const text = failureText(failure, mostCharacters(terms, state))
  return answerCall(state, { text, isError: true })
}

/** At its end it is told of checks that ran after its last step; only those that fail. */
function validated(reading: Reading, outcome: Extract<Outcome, { kind: 'validated' }>): ModelState {
  const { terms, state } = reading
  const isLate = pending(reading)?.kind === 'finish'
  if (isLate && outcome.result !== 'failed') return state
  const shown = checkText(outcome, mostCharacters(terms, state))
  const text = isLate ? `Not finished yet. ${shown}\nMend it, then finish again.` : shown
  return answerCall(withoutMalformed(state), { text, isError: outcome.result === 'failed' })
}

/** A call that ends the work was chosen before it was known that another one failed. */
export function isOvertaken({ results }: ModelState, request: ActorRequest): boolean {
  const ends = request.kind === 'finish' || request.kind === 'give_up'
  return ends && results.some(({ isError }) => isError)
}

export const OVERTAKEN = `Not done: ${FAILED_REST}`

function optionsOf(request: ActorRequest | null) {
  return request?.kind === 'ask' ? request.options : []
}
