import type { Message } from './message.ts'

/**
 * What a model is told of a history: the first messages, the latest summary, and what came after it. What the summary
 * stands for stays in the tree.
 */
export function compacted(messages: readonly Message[]): readonly Message[] {
  const summary = messages.findLastIndex(message => message.role === 'summary')
  if (summary === -1) return messages
  const firstAnswer = messages.findIndex(({ role }) => role === 'assistant' || role === 'summary')
  return [...messages.slice(0, firstAnswer), ...messages.slice(summary)]
}
