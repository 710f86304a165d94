import type { ActorRequest, Brief, Outcome } from '../../src/domain/actor/actor.ts'
import { nextModelTurn, startModel } from '../../src/domain/actor/model/model-actor.ts'
import { type ModelState, readModelState } from '../../src/domain/actor/model/model-state.ts'
import type { Terms } from '../../src/domain/actor/model/terms.ts'
import type { MessageId } from '../../src/domain/ids.ts'
import type { AssistantMessage, Message } from '../../src/domain/model/message.ts'
import { brief, decisionId } from './recipe-driver.ts'
import { toolDeclarations } from './tool-declarations.ts'

export const terms: Terms = {
  model: 'test/one',
  contextTokens: 100_000,
  maxOutputTokens: 4_000,
  maxMalformed: 3,
  purpose: 'Tidy up',
  tools: toolDeclarations,
}

export interface ModelCallOf {
  readonly tool: string
  /** A text is taken as it is, so that it can be malformed. */
  readonly input?: unknown
}

/** What a model answers: calls of tools, or words. */
export function replyOf(calls: readonly ModelCallOf[], text = '', isCut = false): AssistantMessage {
  return {
    role: 'assistant',
    isCut,
    parts: [
      ...(text === '' ? [] : [{ kind: 'text' as const, text, opaque: null }]),
      ...calls.map(({ tool, input = {} }, index) => ({
        kind: 'tool_call' as const,
        callId: `call-${index}`,
        tool,
        input: typeof input === 'string' ? input : JSON.stringify(input),
        opaque: null,
      })),
    ],
  }
}

/** Plays a model actor like a run loop would. Each state goes through JSON, as it does in the store. */
export interface ModelRun {
  readonly request: ActorRequest
  readonly state: ModelState
  /** What the model was told last, one text a message or result. */
  readonly said: readonly string[]
  tell(outcome: Outcome, told?: Partial<Brief>): ModelRun
  /** The model answers with calls. */
  calls(...calls: readonly ModelCallOf[]): ModelRun
  says(text: string): ModelRun
  /** Takes the proposed option, or the named one. */
  decide(optionId?: string): ModelRun
  result(output?: Readonly<Record<string, unknown>>): ModelRun
  /** A correction resumes at the state of this request, with that guidance. */
  correct(guidance: string, told?: Partial<Brief>): ModelRun
}

export function openModel(told: Partial<Brief> = {}, more: Partial<Terms> = {}): ModelRun {
  const opening = brief(told)
  const all = { ...terms, ...more }
  return turn(all, opening, startModel(all, opening), { kind: 'none' })
}

let heads = 0

export function nextHead(): MessageId {
  heads += 1
  // Any text is an id to the actor.
  return `${heads.toString(16).padStart(8, '0')}${'0'.repeat(56)}` as MessageId
}

export const noUsage = { inputTokens: null, outputTokens: null, cachedInputTokens: null }

function turn(all: Terms, told: Brief, from: ModelState, outcome: Outcome): ModelRun {
  const stored = readModelState(JSON.parse(JSON.stringify(from)))
  const { state, request } = nextModelTurn(all, stored, outcome, told)
  const tell: ModelRun['tell'] = (next, more = {}) => turn(all, { ...told, ...more }, state, next)
  const answer = (reply: AssistantMessage) =>
    tell({ kind: 'model_replied', head: nextHead(), reply, usage: noUsage })
  return {
    request,
    state,
    said: request.kind === 'call_model' ? request.say.flatMap(textsOf) : [],
    tell,
    calls: (...calls) => answer(replyOf(calls)),
    says: text => answer(replyOf([], text)),
    decide: optionId => {
      if (request.kind !== 'record_decision') throw new Error(`it asks for ${request.kind}`)
      return tell({ kind: 'decided', decisionId, optionId: optionId ?? request.chosen })
    },
    result: (output = {}) => tell({ kind: 'tool_result', output }),
    correct: (guidance, more = {}) =>
      tell({ kind: 'none' }, { guidance: [...told.guidance, guidance], ...more }),
  }
}

function textsOf(message: Message): string[] {
  if (message.role === 'tool') return message.results.map(({ text }) => text)
  return 'text' in message ? [message.text] : []
}

export function decisionCall(more: Readonly<Record<string, unknown>> = {}): ModelCallOf {
  return {
    tool: 'record_decision',
    input: {
      key: 'where',
      question: 'Where?',
      options: [
        { id: 'here', label: 'Here', why: 'it is near' },
        { id: 'there', label: 'There' },
      ],
      chosen: 'here',
      rationale: 'near is good',
      confidence: 0.8,
      ...more,
    },
  }
}
