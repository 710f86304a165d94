import type {
  AgentCard,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  StreamResponse,
  Task,
} from '@a2a-js/sdk'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import type { PlanDetails } from '../../../application/backend/plan.ts'
import type { Backend } from '../../../application/backend.ts'
import { isFinal, isSettled, stateOf } from '../../../domain/plan/lifecycle.ts'
import type { Plan } from '../../../domain/plan/plan.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { GateView } from '../../protocol/views/gate.ts'
import type { Call } from '../call.ts'
import { generationOf } from '../service-parameters.ts'
import { conversationTask } from './conversation-task.ts'
import type { History } from './history.ts'
import { listTasks } from './list-tasks.ts'
import { whileAnswering } from './live-answer.ts'
import { hasFiles } from './parts.ts'
import { planTask } from './plan-task.ts'
import { refusal } from './refusal.ts'
import type { Sdk } from './sdk.ts'
import type { ShownGates } from './shown-gates.ts'
import { type Taken, takeMessage } from './take-message.ts'
import { streamPlan } from './task-stream.ts'

/** What the parts of the standard methods share during one call. */
export interface StandardCall extends Omit<Call, 'session'> {
  readonly sdk: Sdk
  readonly history: History
  readonly shown: ShownGates
  /** What the sender of this message had been shown in its task when the message came in. */
  readonly shownBefore: GateView | null
  /** Told what a session's model says while it says it; only where somebody listens. */
  readonly onText?: (session: Session, text: string) => void
  /** By its full id only: a task is never meant by a part of it. */
  findPlan(taskId: string): Promise<PlanDetails | null>
  openGates(plan: Plan): PlanDetails['openGates']
}

export interface HandlerParts {
  readonly sdk: Sdk
  readonly card: AgentCard
  callOf(context: ServerCallContext): StandardCall
}

/** A2A's operations over our plans. A plan is a task; what is no plan is a conversation. Nothing is kept but the log. */
export function createRequestHandler({ sdk, card, callOf }: HandlerParts): A2ARequestHandler {
  const noPush = async (): Promise<never> => {
    throw new sdk.errors.PushNotificationNotSupportedError()
  }
  return {
    getAgentCard: async () => card,
    async getAuthenticatedExtendedAgentCard() {
      throw new sdk.errors.ExtendedAgentCardNotConfiguredError()
    },
    async sendMessage({ message, configuration }, context) {
      const call = callOf(context)
      const { taskId, note } = await take(message, call)
      const immediately = configuration?.returnImmediately ?? generationOf(context.requestedVersion) === '0.3'
      const plan = await call.findPlan(taskId)
      if (plan && !immediately) await call.backend.settled(plan.plan.planId, call.signal)
      return shortened(await taskOf(taskId, note, call), configuration?.historyLength)
    },
    async *sendMessageStream({ message }, context) {
      const call = callOf(context)
      const seq = call.backend.events.lastSeq()
      const { taskId, note } = yield* whileAnswering(call, heard => take(message, heard))
      yield* follow(taskId, note, seq, call)
    },
    async *resubscribe({ id }, context) {
      const call = callOf(context)
      const seq = call.backend.events.lastSeq()
      const found = await call.findPlan(id)
      if (found && hasEnded(found.plan) && generationOf(context.requestedVersion) === '1.0')
        throw new sdk.errors.UnsupportedOperationError(`Task ${id} has ended; read it with GetTask.`)
      yield* follow(id, null, seq, call)
    },
    async getTask({ id, historyLength }, context) {
      return shortened(await taskOf(id, null, callOf(context)), historyLength)
    },
    cancelTask: ({ id }, context) => cancel(id, generationOf(context.requestedVersion), callOf(context)),
    listTasks: (request: ListTasksRequest, context): Promise<ListTasksResponse> =>
      listTasks(request, callOf(context)),
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  }
}

async function take(message: Message | undefined, call: StandardCall): Promise<Taken> {
  const { errors } = call.sdk
  if (!message) throw new errors.RequestMalformedError('message: is required')
  if (hasFiles(message))
    throw new errors.ContentTypeNotSupportedError('Send text and data parts; files are not read.')
  const taken = await takeMessage(message, call)
  if (!taken.ok) throw refusal(call.sdk, taken.failure)
  return taken.value
}

async function taskOf(taskId: string, note: string | null, call: StandardCall): Promise<Task> {
  const plan = await call.findPlan(taskId)
  if (plan) return planTask(plan, call, note)
  const conversation = call.backend.conversation(taskId)
  if (conversation) return conversationTask(conversation, call)
  throw new call.sdk.errors.TaskNotFoundError(`There is no task ${taskId}.`)
}

/** The task as it is, then its way to the next rest. The events after `seq` are not lost between the two. */
async function* follow(
  taskId: string,
  note: string | null,
  seq: number,
  call: StandardCall,
): AsyncGenerator<StreamResponse, void> {
  // Looked up first, so that what is asked meanwhile is told twice rather than never.
  const found = await call.findPlan(taskId)
  const task = await taskOf(taskId, note, call)
  yield { payload: { $case: 'task', value: task } }
  if (!found || isSettled(found.plan.position)) return
  yield* streamPlan(found, seq, call)
}

/** 1.0 takes a repeated cancel as done; 0.3 wants it refused. What ended otherwise cannot be canceled in either. */
async function cancel(
  id: string,
  generation: ReturnType<typeof generationOf>,
  call: StandardCall,
): Promise<Task> {
  const task = await taskOf(id, null, call)
  const found = await call.findPlan(id)
  const conversation = found ? null : call.backend.conversation(id)
  const isCanceled = found ? stateOf(found.plan.position) === 'cancelled' : conversation?.state === 'canceled'
  const notCancelable = isCanceled ? generation !== '1.0' : found && hasEnded(found.plan)
  if (notCancelable) throw new call.sdk.errors.TaskNotCancelableError(`Task ${id} has ended already.`)
  if (isCanceled) return task
  if (conversation) call.backend.putConversation({ ...conversation, state: 'canceled' })
  const canceled = found ? await call.backend.cancel(found.plan.planId, null) : null
  if (canceled && !canceled.ok) throw refusal(call.sdk, canceled.failure, 'TaskNotCancelableError')
  return taskOf(id, null, call)
}

function hasEnded(plan: Plan): boolean {
  return isFinal(plan.position) || stateOf(plan.position) === 'errored'
}

function shortened(task: Task, historyLength: number | undefined): Task {
  const length = Math.min(historyLength ?? MAX_HISTORY, MAX_HISTORY)
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) }
}

const MAX_HISTORY = 100

export function findersOf(backend: Backend) {
  return {
    async findPlan(taskId: string): Promise<PlanDetails | null> {
      const found = await backend.plan(taskId)
      return found.ok && found.value.plan.planId === taskId ? found.value : null
    },
    openGates: (plan: Plan) => backend.details(plan).openGates,
  }
}
