/**
 * The pure step function of model actors: from a state and what came of the last request to the next request. A model's
 * answer is itself a request, and its calls of tools become requests one after the other; so it reaches nothing but
 * through the run loop. It performs nothing and knows no network, no store and no chance. Begin with `nextModelTurn`.
 */
import { estimatedTokens } from '../../model/usage.ts'
import type { ActorRequest, Brief, Outcome } from '../actor.ts'
import { keptRequest, modelRequest, needsSummary } from './model-request.ts'
import { answerCall, type ModelState, stopWith } from './model-state.ts'
import { briefText, systemPrompt } from './prompts.ts'
import { readCall } from './read-call.ts'
import { hearGuidance, isOvertaken, OVERTAKEN, settle } from './settle.ts'
import { MOST_ANSWERS, type Terms } from './terms.ts'

export interface ModelTurn {
  readonly state: ModelState
  readonly request: ActorRequest
}

/** Each phase is a new line of messages; what Strategize came to is in the brief. */
export function startModel(terms: Terms, brief: Brief): ModelState {
  const opening = [
    { role: 'system' as const, text: systemPrompt(brief) },
    { role: 'user' as const, text: briefText(brief, terms) },
  ]
  return {
    kind: 'model',
    phase: brief.phase,
    head: null,
    unsaid: opening,
    calls: [],
    answered: 0,
    results: [],
    notes: [],
    isSpawning: false,
    toKeep: [],
    kept: [],
    keys: brief.decisions.flatMap(({ key }) => (key === null ? [] : [key])),
    heard: [...brief.guidance],
    answers: 0,
    mostAnswers: MOST_ANSWERS,
    tokens: 0,
    openingTokens: opening.reduce((sum, { text }) => sum + estimatedTokens(text), 0),
    malformed: 0,
    silent: 0,
    repeated: { calls: '', times: 0 },
    isCompacting: false,
    compactedAt: null,
    stopped: null,
  }
}

/**
 * A state that was returned with a request still stands at that request: with the outcome `none` and nothing new in the
 * brief the request is made again. A correction resumes from the state returned with the decision.
 */
export function nextModelTurn(terms: Terms, state: ModelState, outcome: Outcome, brief: Brief): ModelTurn {
  const settled = settle({ terms, brief, state }, outcome)
  return proceed(terms, hearGuidance({ terms, brief, state: settled }), brief)
}

/** Answers what needs nobody else, up to the first request that does. */
function proceed(terms: Terms, start: ModelState, brief: Brief): ModelTurn {
  for (let state = start; ; ) {
    if (state.stopped) return failed(state, state.stopped)
    const [kept] = state.toKeep
    if (kept) return { state, request: keptRequest(kept) }
    const [call] = state.calls
    if (!call && state.answers < state.mostAnswers) return askModel(terms, state)
    if (!call) {
      state = stopWith(state, `The model has answered ${state.answers} times and has not finished.`)
      continue
    }
    const read = readCall({ terms, brief, state }, call)
    if (read.kind === 'complaint')
      state = countMalformed(terms, answerCall(state, { text: read.text, isError: true }))
    else if (isOvertaken(state, read)) state = answerCall(state, { text: OVERTAKEN, isError: true })
    else return { state, request: read }
  }
}

function failed(state: ModelState, failure: NonNullable<ModelState['stopped']>): ModelTurn {
  return { state, request: { kind: 'fail', step: `model[${state.answers}]`, failure } }
}

function countMalformed({ maxMalformed }: Terms, state: ModelState): ModelState {
  const next: ModelState = { ...state, malformed: state.malformed + 1 }
  if (next.malformed <= maxMalformed) return next
  const last = state.results.at(-1)
  return stopWith(
    next,
    `The model called tools wrongly ${next.malformed} times in a row; last ${last?.tool}: ${last?.text}`,
  )
}

function askModel(terms: Terms, before: ModelState): ModelTurn {
  const state: ModelState =
    before.isCompacting || !needsSummary(terms, before) ? before : { ...before, isCompacting: true }
  return { state, request: modelRequest(terms, state) }
}
