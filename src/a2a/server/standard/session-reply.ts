import type { Part } from '@a2a-js/sdk'
import { type Failure, ok, type Result, refuse } from '../../../domain/failure.ts'
import type { Gate } from '../../../domain/gate/gate.ts'
import type { Plan } from '../../../domain/plan/plan.ts'
import type { Session } from '../../../domain/session/session.ts'
import { gateView } from '../to-view/gate.ts'
import { HELP, replyTo, replyToFailure } from './conversation-task.ts'
import { gateMessage } from './gate-message.ts'
import { dataPart, textPart } from './parts.ts'
import { readTextAnswer } from './read-answer.ts'
import type { Command } from './read-command.ts'
import type { StandardCall } from './request-handler.ts'

/**
 * What is said to a text that starts no plan by itself: the answer to a gate that was shown, a command, or else words
 * for the session's model. What waits in the session's plans is said after it, and can be answered from then on.
 */
export async function replyInSession(
  session: Session,
  text: string,
  command: Exclude<Command, { kind: 'use' }>,
  call: StandardCall,
): Promise<Part[]> {
  const shown = shownIn(session, call)
  const answered = shown && command.kind === 'unknown' ? await answerShown(shown, text, call) : null
  if (answered) return noted(session, text, answered, call)
  if (command.kind !== 'unknown') return noted(session, text, replyTo(command, call), call)
  return converse(session, text, call)
}

/** Commands and answers are part of what was said, though no model heard them. */
function noted(session: Session, text: string, parts: Part[], call: StandardCall): Part[] {
  const reply = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n')
  call.backend.sessions.note(session.sessionId, text, reply)
  return [...parts, ...whatWaits(session, call)]
}

async function converse(session: Session, text: string, call: StandardCall): Promise<Part[]> {
  const told = await call.backend.sessions.tell({
    sessionRef: session.sessionId,
    text,
    signal: call.signal,
    onText: piece => call.onText?.(session, piece),
  })
  if (told.ok)
    return [
      textPart(told.value.text),
      ...told.value.started.map(startedPart),
      ...whatWaits(told.value.session, call),
    ]
  if (told.failure.code === 'not_available') return noted(session, text, withoutModel(told.failure), call)
  return [...replyToFailure(told.failure), ...whatWaits(session, call)]
}

function withoutModel({ message }: Failure): Part[] {
  return [textPart(`${message}\n\nCommands and the answers to gates are understood without one.\n\n${HELP}`)]
}

export function startedPart({ planId, name }: Plan): Part {
  return dataPart({ type: 'cleveragents.started', plan_id: planId, task_id: planId, name })
}

/** Null where nothing was shown, or it is decided by now. */
function shownIn({ shownGate }: Session, call: StandardCall): Gate | null {
  if (shownGate === null) return null
  const open = call.backend.openGates(null)
  const gates = open.ok ? open.value : []
  return (
    gates.find(({ gateId, digest }) => gateId === shownGate.gateId && digest === shownGate.digest) ?? null
  )
}

/** Null where the text is no answer. Other words are for the model, never guidance for a plan that was not named. */
async function answerShown(gate: Gate, text: string, call: StandardCall): Promise<Part[] | null> {
  const answer = readTextAnswer(text, gateView(gate))
  if (answer.kind === 'guidance') return null
  if (answer.kind === 'unclear') return [textPart(answer.why)]
  const result: Result<Plan> = await call.backend.answerGate({
    planRef: gate.planId,
    gateRef: gate.gateId,
    digest: gate.digest,
    // Text that approves such a gate is the word itself.
    confirmWord: gate.confirmWord,
    answer: {
      decision: answer.decision,
      optionId: answer.optionId,
      guidance: null,
      note: null,
      part: null,
      grant: 'once',
    },
    by: call.user,
  })
  if (!result.ok) return replyToFailure(result.failure)
  const done = answer.decision === 'approve' ? 'Approved' : 'Rejected'
  return [textPart(`${done}: ${gate.question}`)]
}

/** The first question of the session's plans, which a bare answer is for from now on. */
function whatWaits({ sessionId, shownGate }: Session, call: StandardCall): Part[] {
  const details = call.backend.sessions.show(sessionId)
  const plans = details.ok ? details.value.plans : []
  const waiting = plans.flatMap(plan => call.openGates(plan))
  const [first] = waiting
  const shown = first === undefined ? null : { gateId: first.gateId, digest: first.digest }
  call.backend.sessions.rememberShown(sessionId, shown)
  if (first === undefined) return []
  if (first.gateId === shownGate?.gateId && first.digest === shownGate.digest)
    return [textPart(`Still waits: ${first.question}`)]
  const { text, data } = gateMessage(gateView(first), waiting.length)
  return [textPart(text), dataPart(data)]
}

/** The session that a context is: it is there as soon as something is said in it. */
export function sessionOf(contextId: string, call: StandardCall): Result<Session> {
  const made = call.backend.sessions.create({ sessionId: contextId, name: null, actor: null, folder: null })
  if (!made.ok) return made
  const { session } = made.value
  return session.state === 'closed' ? closed(session) : ok(session)
}

/** Null where nothing was said in a context so far. A reference that is short for another session is none to this. */
export function knownSession(contextId: string, call: StandardCall): Session | null {
  const found = call.backend.sessions.show(contextId)
  return found.ok && found.value.session.sessionId === contextId ? found.value.session : null
}

export function closed({ sessionId }: Session): Result<never> {
  return refuse('invalid_state', `Session ${sessionId} is closed; nothing more is said in it.`, {
    session: sessionId,
  })
}
