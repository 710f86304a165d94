import { ok, type Result, refuse } from '../../domain/failure.ts'
import { compacted } from '../../domain/model/compacted.ts'
import {
  type AssistantMessage,
  type Message,
  type ToolCallPart,
  type ToolCallResult,
  textOf,
  toolCallsOf,
} from '../../domain/model/message.ts'
import { estimatedTokens } from '../../domain/model/usage.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { ORCHESTRATOR_PROMPT, offeredSessionTools } from '../../domain/session/orchestrator.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionReply, TellSession } from '../backend/session.ts'
import { closeInSession, reserveInSession, settleInSession } from '../guardrails/charge-session.ts'
import { arrivingAnswer } from '../plan/arriving-answer.ts'
import type { ModelCall, ModelHands } from '../ports/model.ts'
import type { Ports } from '../ports.ts'
import { findSession } from './find-session.ts'
import { unanswered } from './manage-sessions.ts'
import { answerCall, type Orchestration } from './orchestrator-tools.ts'

/** How often the model is asked for one message of a person. */
const MOST_ROUNDS = 12

/**
 * A person says something that is no command and no answer: the session's model answers, with the use cases as its
 * tools. Each message is kept as soon as it is said, so that a crash loses no more than the answer that was under way.
 */
export async function tellSession(
  ports: Ports,
  input: TellSession,
  start: Orchestration['start'],
): Promise<Result<SessionReply>> {
  const found = findSession(ports, input.sessionRef)
  if (!found.ok) return found
  if (found.value.state === 'closed')
    return refuse('invalid_state', `Session ${found.value.sessionId} is closed; nothing more is said in it.`)
  const model = ports.models.resolve(found.value.actor ?? 'model')
  if (!model.ok) return model
  closeInSession(ports, found.value.sessionId)
  const said = say(ports, found.value, [
    ...unanswered(ports, found.value),
    { role: 'user', text: input.text },
  ])
  if (!said.ok) return said
  const talk = { ports, model: model.value, input, start, started: [] as Plan[] }
  const ready = await compact(talk, said.value)
  return ready.ok ? converse(talk, ready.value) : ready
}

interface Talk {
  readonly ports: Ports
  readonly model: string
  readonly input: TellSession
  readonly start: Orchestration['start']
  readonly started: Plan[]
}

async function converse(talk: Talk, from: Session): Promise<Result<SessionReply>> {
  const { ports, started } = talk
  let session = from
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const answered = await ask(talk, session, offeredSessionTools())
    if (!answered.ok) return answered
    const kept = say(ports, session, [answered.value])
    if (!kept.ok) return kept
    session = kept.value
    const calls = toolCallsOf(answered.value)
    if (calls.length === 0) return ok({ session, text: textOf(answered.value), started })
    const results = []
    const of = { ports, session, start: talk.start, started }
    for (const [at, call] of calls.entries())
      results.push(at < MOST_CALLS ? await answerCall(of, call) : notAnswered(call))
    const told = say(ports, session, [{ role: 'tool', results }])
    if (!told.ok) return told
    session = told.value
  }
  return refuse(
    'step_failed',
    `${talk.model} used its tools ${MOST_ROUNDS} times without an answer; ask again.`,
  )
}

/** In one answer; more is a model that went round in circles. */
const MOST_CALLS = 16

function notAnswered({ callId, tool }: ToolCallPart): ToolCallResult {
  return { callId, tool, text: `Not done: at most ${MOST_CALLS} calls in one answer.`, isError: true }
}

/** Adds to what was said, unless somebody else said something meanwhile. */
function say({ store, clock }: Ports, session: Session, messages: readonly Message[]): Result<Session> {
  return store.transaction(() => {
    const present = store.sessions.find(session.sessionId)
    if (!present) return refuse('not_found', `Session ${session.sessionId} was deleted meanwhile.`)
    if (present.head !== session.head)
      return refuse(
        'conflict',
        'Something else was said in this session meanwhile; read it and say it again.',
      )
    const head = store.messages.append(session.sessionId, session.head, messages)
    const said: Session = { ...present, head, updatedAt: clock.now() }
    store.sessions.put(said)
    return ok(said)
  })
}

/** What had arrived when it was stopped or lost is kept, so that what is said next can refer to it. */
async function ask(
  { ports, model, input }: Talk,
  session: Session,
  tools: ModelCall['tools'],
  more: readonly Message[] = [],
): Promise<Result<AssistantMessage>> {
  const call: ModelCall = {
    model,
    messages: [...messagesOf(ports, session), ...more],
    tools,
    maxOutputTokens: Math.min(ports.models.facts(model).maxOutputTokens, MOST_TOKENS),
  }
  const reserved = reserveInSession(ports, session.sessionId, call)
  if (!reserved.ok) return reserved
  const arrived = arrivingAnswer(() => {})
  const onPart: ModelHands['onPart'] = part => {
    arrived.take(part)
    if (part.kind === 'text') input.onText(part.text)
  }
  const { signal } = input
  const answer = await ports.models.call(call, { signal, onPart })
  const reply = answer.ok ? answer.value : arrived.cut()
  settleInSession(ports, reserved.value, { call, reply })
  if (answer.ok && !(answer.value.message.isCut && signal.aborted)) return ok(answer.value.message)
  if (reply !== null) keepCut(ports, session, reply.message)
  return answer.ok ? refuse('interrupted', 'The answer was stopped; what had arrived is kept.') : answer
}

/** An answer of a conversation is short; work is for plans. */
const MOST_TOKENS = 8_192

/** Its words: nobody answers the calls of an answer that is not whole. */
function keepCut(ports: Ports, session: Session, message: AssistantMessage): void {
  const parts = message.parts.filter(({ kind }) => kind === 'text')
  if (parts.length > 0) say(ports, session, [{ ...message, parts, isCut: true }])
}

function messagesOf({ store }: Ports, { head, sessionId }: Session): Message[] {
  if (head === null) throw new Error(`nothing was said in session ${sessionId}`)
  return [{ role: 'system', text: ORCHESTRATOR_PROMPT }, ...store.messages.path(head)]
}

const SUMMARISE =
  'Summarise the conversation so far for whoever goes on with it: what the engineer wants, what was decided, which plans were started and how they stand, and what is open. Only the summary, in at most 600 words.'

/** A long conversation goes on from a summary, which is a message like the others; nothing is taken out. */
async function compact(talk: Talk, session: Session): Promise<Result<Session>> {
  const { ports, model } = talk
  const path = compacted(messagesOf(ports, session))
  const { contextTokens } = ports.models.facts(model)
  if (estimatedTokens(JSON.stringify(path)) < contextTokens * 0.6) return ok(session)
  const last = path.at(-1)
  const summary = await ask(
    { ...talk, input: { ...talk.input, onText: () => {} } },
    session,
    [],
    [{ role: 'user', text: SUMMARISE }],
  )
  if (!summary.ok) return summary
  const text = textOf(summary.value).trim()
  if (text === '' || summary.value.isCut)
    return refuse(
      'step_failed',
      `The conversation is too long for ${model}, and it gave no whole summary of it; ask again, or open another session.`,
    )
  // What was just asked is asked again after the summary: nothing that a person said goes through it unheard.
  const again = last?.role === 'user' ? [last] : []
  return say(ports, session, [{ role: 'summary', text }, ...again])
}
