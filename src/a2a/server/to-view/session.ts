import type { SessionDetails } from '../../../application/backend/session.ts'
import { type Message, textOf, toolCallsOf } from '../../../domain/model/message.ts'
import { phaseOf, stateOf } from '../../../domain/plan/lifecycle.ts'
import type { SessionDetailsView, SessionView } from '../../protocol/views/session.ts'

export function sessionView({ session, messages, plans }: SessionDetails): SessionView {
  return {
    session_id: session.sessionId,
    name: session.name,
    actor: session.actor,
    folder: session.folder,
    state: session.state,
    plans: plans.map(({ planId, name, position }) => ({
      plan_id: planId,
      name,
      phase: phaseOf(position),
      state: stateOf(position),
    })),
    messages: messages.flatMap(saidIn).length,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    closed_at: session.closedAt,
  }
}

export function sessionDetailsView(details: SessionDetails): SessionDetailsView {
  return { ...sessionView(details), said: details.messages.flatMap(saidIn) }
}

function saidIn(message: Message): SessionDetailsView['said'] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return [{ who: 'person', text: message.text, cut: false }]
    case 'summary':
      return [{ who: 'summary', text: message.text, cut: false }]
    case 'tool':
      return message.results.map(({ tool, text }) => ({ who: 'tool', text: `${tool}: ${text}`, cut: false }))
    case 'assistant': {
      const calls = toolCallsOf(message).map(({ tool, input }) => `${tool} ${input}`)
      const text = [textOf(message), ...calls].filter(part => part !== '').join('\n')
      return text === '' ? [] : [{ who: 'actor', text, cut: message.isCut }]
    }
  }
}
