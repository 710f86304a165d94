import { createHash } from 'node:crypto'
import type { KeptMessage, MessageTree } from '../../application/ports/conversation.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { type Message, messageId } from '../../domain/model/message.ts'
import { messageSchema } from '../../domain/model/message-schema.ts'
import type { Connection } from './connection.ts'
import { once, parsed } from './record-table.ts'

/** Messages by an id made from their contents and the one before: said twice in the same place, a message is one. */
export function messageTree(connection: Connection, now: () => string): MessageTree {
  const { db, write } = connection
  const insert = once(() =>
    db.prepare<[string, string | null, string, string, string]>(
      'INSERT OR IGNORE INTO messages (message_id, after_id, thread, at, message) VALUES (?, ?, ?, ?, ?)',
    ),
  )
  const path = once(() => db.prepare<[string], string>(PATH).pluck())
  const list = once(() => db.prepare<[string], Row>(LIST))
  const remove = once(() => db.prepare<[string]>('DELETE FROM messages WHERE thread = ?'))
  return {
    append: (thread, after, messages) => {
      let last = after
      for (const message of messages) {
        const id = messageId(digest, { thread, after: last, message })
        const json = canonicalJson(message)
        write(() => insert().run(id, last, thread, now(), json))
        last = id
      }
      return last
    },
    path: head => {
      const found = path().all(head)
      if (found.length === 0) throw new Error(`the message ${head} is missing from the store`)
      return found.map(json => parsed<Message>(messageSchema, 'messages', JSON.parse(json)))
    },
    list: thread =>
      list()
        .all(thread)
        .map(({ message, ...row }) => ({
          ...row,
          message: parsed<Message>(messageSchema, 'messages', JSON.parse(message)),
        })),
    removeThread: thread => void write(() => remove().run(thread)),
  }
}

interface Row extends Omit<KeptMessage, 'message'> {
  readonly message: string
}

const LIST = `
SELECT message_id AS messageId, after_id AS "after", at, message FROM messages WHERE thread = ? ORDER BY recorded`

const PATH = `
WITH RECURSIVE line (message_id, depth) AS (
  VALUES (?, 0)
  UNION ALL
  SELECT messages.after_id, line.depth + 1
  FROM line JOIN messages ON messages.message_id = line.message_id
  WHERE messages.after_id IS NOT NULL
)
SELECT messages.message FROM line JOIN messages USING (message_id) ORDER BY line.depth DESC`

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
