import * as z from 'zod'
import type { Conversation, ConversationRepository } from '../../application/ports/conversation.ts'
import type { Connection } from './connection.ts'
import { recordTable } from './record-table.ts'

const conversationSchema: z.ZodType<Conversation> = z.object({
  taskId: z.string(),
  contextId: z.string(),
  state: z.enum(['input-required', 'canceled']),
  messages: z.array(z.unknown()),
  createdAt: z.string(),
})

export function conversationRepository(connection: Connection): ConversationRepository {
  const conversations = recordTable<Conversation>(connection, {
    table: 'conversations',
    key: 'task_id',
    columns: { taskId: 'task_id' },
    schema: conversationSchema,
  })
  return {
    put: conversations.put,
    find: conversations.one('WHERE task_id = ?'),
    list: conversations.many('ORDER BY recorded DESC LIMIT ?'),
  }
}
