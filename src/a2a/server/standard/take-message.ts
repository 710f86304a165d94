import type { Message } from '@a2a-js/sdk'
import type { UseAction } from '../../../application/backend/plan.ts'
import type { Conversation } from '../../../application/ports/conversation.ts'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { isFinal, stateOf } from '../../../domain/plan/lifecycle.ts'
import type { Plan } from '../../../domain/plan/plan.ts'
import type { Session } from '../../../domain/session/session.ts'
import { gateAnswerPart, startPart } from '../../protocol/gate.ts'
import type { GateView } from '../../protocol/views/gate.ts'
import { readChosenPart } from '../chosen-part.ts'
import { converse, replyToFailure } from './conversation-task.ts'
import { contentOf, textPart } from './parts.ts'
import { looksLikeAnswer, readTextAnswer } from './read-answer.ts'
import { readCommand } from './read-command.ts'
import type { StandardCall } from './request-handler.ts'
import { closed, knownSession, replyInSession, sessionOf, startedPart } from './session-reply.ts'

/** What came of a message: the task it belongs to, and what to say before the task's own words. */
export interface Taken {
  readonly taskId: string
  readonly note: string | null
}

/** One message of a client: it starts a plan, answers a gate, guides a plan, or is a command in a conversation. */
export async function takeMessage(message: Message, call: StandardCall): Promise<Result<Taken>> {
  const before = call.history.taskOf(message)
  if (before !== null) return ok({ taskId: before, note: null })
  return call.history.once(message, async () => {
    const taken = await route(message, call)
    if (taken.ok) call.history.taken(message, taken.value.taskId)
    return taken
  })
}

async function route(message: Message, call: StandardCall): Promise<Result<Taken>> {
  // Clients of our guide name the task where A2A names the context.
  const named = message.taskId || message.contextId
  const plan = named === '' ? null : await call.findPlan(named)
  const conversation = named === '' || plan ? null : call.backend.conversation(named)
  if (plan) return belongs(message, plan.plan) ?? tell(plan.plan, message, call)
  if (conversation) return belongs(message, conversation) ?? goOn(conversation, message, call)
  if (message.taskId === '') return begin(message, named || call.backend.newTaskId(), call)
  return refuse('not_found', `There is no task ${message.taskId}.`, { task: message.taskId })
}

/** Null when the message names no other context than its task has. */
function belongs(message: Message, { contextId }: { readonly contextId: string }): Result<Taken> | null {
  if (message.taskId === '' || message.contextId === '' || message.contextId === contextId) return null
  const { taskId } = message
  return refuse('invalid_input', `Task ${taskId} belongs to another context than ${message.contextId}.`)
}

/** A message without a task: a plan, if it starts one, else a conversation. */
async function begin(message: Message, contextId: string, call: StandardCall): Promise<Result<Taken>> {
  const started = await start(message, contextId, call)
  if (started?.ok) {
    call.history.add({ taskId: started.value.planId, contextId }, [message])
    return ok({ taskId: started.value.planId, note: null })
  }
  // One conversation a context: a session goes on in its own task.
  const conversation = { taskId: contextId, contextId }
  const session = sessionOf(contextId, call)
  if (!session.ok) return session
  const reply = started ? replyToFailure(started.failure) : await words(session.value, message, call)
  converse(conversation, message, reply, call)
  return ok({ taskId: conversation.taskId, note: null })
}

function words(session: Session, message: Message, call: StandardCall) {
  return replyInSession(session, contentOf(message).text, otherCommand(message), call)
}

/** A message in a conversation. A plan it starts is a task of its own in the same context. */
async function goOn(task: Conversation, message: Message, call: StandardCall): Promise<Result<Taken>> {
  if (task.state === 'canceled')
    return refuse('invalid_state', `Task ${task.taskId} has ended; send the message without a task.`)
  const session = sessionOf(task.contextId, call)
  if (!session.ok) return session
  const started = await start(message, task.contextId, call)
  const reply = !started
    ? await words(session.value, message, call)
    : started.ok
      ? startedReply(started.value)
      : replyToFailure(started.failure)
  converse(task, message, reply, call)
  return ok({ taskId: task.taskId, note: null })
}

function startedReply(plan: Plan) {
  const text = `Started ${plan.name} as task ${plan.planId}; its questions are asked there.`
  return [textPart(text), startedPart(plan)]
}

/** Null when the message starts no plan. */
async function start(message: Message, contextId: string, call: StandardCall): Promise<Result<Plan> | null> {
  const input = startOf(message)
  if (input === null || !input.ok) return input
  const session = knownSession(contextId, call)
  if (session?.state === 'closed') return closed(session)
  const folder = input.value.folder ?? session?.folder ?? null
  return call.backend.useAction({ ...input.value, folder, contextId, trust: false, isAttended: true })
}

function startOf(message: Message): Result<Omit<UseAction, 'contextId' | 'trust' | 'isAttended'>> | null {
  const { text, data } = contentOf(message)
  if (data && 'action' in data) {
    const part = startPart.safeParse(data)
    if (!part.success) return refuse('invalid_input', `The data part starts no plan: ${part.error.message}`)
    const { action, args, projects, invariants, folder, automation_profile, sandbox, name } = part.data
    return ok({
      actionName: action,
      args,
      projects,
      invariants,
      folder: folder ?? null,
      automationProfile: automation_profile ?? null,
      sandbox: sandbox ?? null,
      limits: {},
      name: name ?? null,
    })
  }
  const command = readCommand(text)
  if (command.kind !== 'use') return null
  const { action: actionName, args } = command
  return ok({
    actionName,
    args,
    projects: [],
    invariants: [],
    folder: null,
    automationProfile: null,
    sandbox: null,
    limits: {},
    name: null,
  })
}

function otherCommand(message: Message) {
  const command = readCommand(contentOf(message).text)
  return command.kind === 'use' ? ({ kind: 'unknown' } as const) : command
}

/** A message to a plan: an answer, if a gate waits; else guidance, which a busy plan takes up when it can. */
async function tell(plan: Plan, message: Message, call: StandardCall): Promise<Result<Taken>> {
  const { text, data } = contentOf(message)
  const taken = (result: Result<Plan>, note: string | null = null): Result<Taken> => {
    if (!result.ok) return result
    call.history.add({ taskId: plan.planId, contextId: plan.contextId }, [message])
    return ok({ taskId: plan.planId, note })
  }
  if (data && 'gate_id' in data) return taken(await answerByData(plan, data, call))
  const ended = isFinal(plan.position) || stateOf(plan.position) === 'errored'
  if (ended) return refuse('invalid_state', `Task ${plan.planId} has ended; send the message without a task.`)
  const shown = call.shownBefore
  const open = call.openGates(plan)
  if (open.length > 0) return answerByText(plan, text, shown, call, taken)
  if (stateOf(plan.position) === 'paused' && /^resume$/i.test(text))
    return taken(await call.backend.resume(plan.planId))
  if (shown && looksLikeAnswer(text, shown))
    return refuse('stale_answer', 'That question is decided already; no question is open.', {
      gate_id: shown.gate_id,
    })
  return taken(await call.backend.prompt(plan.planId, text, call.user))
}

async function answerByData(
  plan: Plan,
  data: Readonly<Record<string, unknown>>,
  call: StandardCall,
): Promise<Result<Plan>> {
  const part = gateAnswerPart.safeParse(data)
  if (!part.success) return refuse('invalid_input', `The data part answers no gate: ${part.error.message}`)
  const { gate_id, digest, decision, option_id, note, guidance, grant, confirm_word } = part.data
  const chosen = await readChosenPart(plan.planId, part.data, call.backend)
  if (!chosen.ok) return chosen
  const answer = {
    decision,
    optionId: option_id ?? null,
    note: note ?? null,
    guidance: guidance ?? null,
    part: chosen.value,
    grant,
  }
  return call.backend.answerGate({
    planRef: plan.planId,
    gateRef: gate_id,
    digest,
    confirmWord: confirm_word ?? null,
    answer,
    by: call.user,
  })
}

async function answerByText(
  plan: Plan,
  text: string,
  shown: GateView | null,
  call: StandardCall,
  taken: (result: Result<Plan>, note?: string | null) => Result<Taken>,
): Promise<Result<Taken>> {
  if (!shown) return taken(ok(plan), 'Please read the question first; nothing was decided.')
  const answer = readTextAnswer(text, shown)
  if (answer.kind === 'unclear') return taken(ok(plan), answer.why)
  const given =
    answer.kind === 'guidance'
      ? ({ decision: 'request_changes', optionId: null, guidance: answer.guidance } as const)
      : ({ decision: answer.decision, optionId: answer.optionId, guidance: null } as const)
  const result = await call.backend.answerGate({
    planRef: plan.planId,
    gateRef: shown.gate_id,
    digest: shown.digest,
    // Text that approves such a gate is the word itself.
    confirmWord: shown.confirm_word,
    answer: { ...given, note: null, part: null, grant: 'once' },
    by: call.user,
  })
  if (result.ok || answer.kind !== 'guidance') return taken(result)
  return taken(ok(plan), `${result.failure.message} Nothing was decided.`)
}
