import type { PlanMessages, SaidMessage } from '../../../application/plan/list-messages.ts'
import { type Message, textOf, toolCallsOf } from '../../../domain/model/message.ts'
import type { MessagesView, MessageView } from '../../protocol/views/message.ts'

export function messagesView({ plan, total, messages }: PlanMessages): MessagesView {
  return { plan_id: plan.planId, plan_name: plan.name, total, messages: messages.map(messageView) }
}

function messageView({ messageId, after, at, message, isPresent }: SaidMessage): MessageView {
  return {
    message_id: messageId,
    after_id: after,
    role: message.role,
    ...contentOf(message),
    is_cut: message.role === 'assistant' && message.isCut,
    is_present: isPresent,
    at,
  }
}

function contentOf(message: Message): Pick<MessageView, 'text' | 'tool_calls' | 'tool_results'> {
  switch (message.role) {
    case 'assistant':
      return {
        text: textOf(message),
        tool_calls: toolCallsOf(message).map(({ tool, input }) => ({ tool, input })),
        tool_results: [],
      }
    case 'tool':
      return {
        text: '',
        tool_calls: [],
        tool_results: message.results.map(({ tool, text, isError }) => ({ tool, text, is_error: isError })),
      }
    case 'system':
    case 'user':
    case 'summary':
      return { text: message.text, tool_calls: [], tool_results: [] }
  }
}
