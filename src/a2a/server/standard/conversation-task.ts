import type { Message, Part, Task } from '@a2a-js/sdk'
import type { Conversation } from '../../../application/ports/conversation.ts'
import type { Failure } from '../../../domain/failure.ts'
import { errorCodes } from '../../protocol/error-codes.ts'
import { agentMessage, dataPart, textPart } from './parts.ts'
import type { Command } from './read-command.ts'
import type { StandardCall } from './request-handler.ts'

/** A task that is no plan: it rests in input-required until someone cancels it. */
export function conversationTask(conversation: Conversation, { sdk, history }: StandardCall): Task {
  const messages = history.of(conversation.taskId)
  const last = messages.findLast(each => each.role === sdk.Role.ROLE_AGENT)
  const canceled = conversation.state === 'canceled'
  return {
    id: conversation.taskId,
    contextId: conversation.contextId,
    status: {
      state: canceled ? sdk.TaskState.TASK_STATE_CANCELED : sdk.TaskState.TASK_STATE_INPUT_REQUIRED,
      message: canceled ? undefined : last,
      timestamp: conversation.createdAt,
    },
    artifacts: [],
    history: messages,
    metadata: undefined,
  }
}

/** Keeps what was said and what we say to it. */
export function converse(
  task: { readonly taskId: string; readonly contextId: string },
  said: Message,
  reply: Part[],
  call: StandardCall,
): void {
  const heard = { ...said, taskId: task.taskId, contextId: task.contextId }
  call.history.add(task, [heard, agentMessage(call.sdk, task, reply)])
}

/** What we say to a command that starts nothing. */
export function replyTo(command: Exclude<Command, { kind: 'use' | 'unknown' }>, call: StandardCall): Part[] {
  switch (command.kind) {
    case 'help':
      return [textPart(HELP)]
    case 'list':
      return [textPart(listText(call))]
    case 'faulty':
      return [textPart(`${command.why}\n\n${HELP}`)]
  }
}

export function replyToFailure({ code, message, facts }: Failure): Part[] {
  const data = { type: 'cleveragents.failure', error_type: code, code: errorCodes[code], message, facts }
  return [textPart(message), dataPart(data)]
}

export const HELP = [
  'use ACTION key=value ...  starts a plan, e.g. use builtin/replace-text find=colour replace=color',
  'list                      shows the plans and the actions',
  'help                      shows this',
  'A plan asks at its gates; answer in its task with the number or the words of an option.',
].join('\n')

function listText({ backend }: StandardCall): string {
  const plans = backend.plans({ phase: null, state: null, project: null, limit: LISTED })
  const actions = backend.actions().filter(({ action }) => action.state === 'available')
  return [
    plans.length > 0 ? 'Plans, newest first:' : 'There are no plans yet.',
    ...plans.map(({ plan }) => `  ${plan.planId}  ${plan.name}  ${plan.position}`),
    'Actions:',
    ...actions.map(
      ({ action, unavailable }) => `  ${action.name}  ${firstLine(unavailable ?? action.description)}`,
    ),
  ].join('\n')
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

const LISTED = 20
