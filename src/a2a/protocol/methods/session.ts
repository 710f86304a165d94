/** Conversations. What is said in one goes through the standard `message/send` and `message/stream`, with its id as the context. */
import * as z from 'zod'
import { sessionDetailsView, sessionView } from '../views/session.ts'
import { none, row } from './row.ts'

const session = z.object({ session_id: z.string() })

export const sessionMethods = {
  'session.create': row(
    'Open a session; with the id of one that is there, that one is returned as it is.',
    z.object({
      session_id: z.string().optional(),
      name: z.string().optional(),
      /** The model that answers; left out, the default one at the time. */
      actor: z.string().optional(),
      /** Where the plans that are started in it work. */
      folder: z.string().optional(),
    }),
    sessionView,
  ),
  'session.close': row('Close a session: nothing more is said in it. Its plans go on.', session, sessionView),
  '_cleveragents/session/list': row(
    'Sessions, newest first.',
    none,
    z.object({ sessions: z.array(sessionView) }),
  ),
  '_cleveragents/session/show': row('A session and what was said in it.', session, sessionDetailsView),
  '_cleveragents/session/delete': row(
    'Delete a session with everything that was said in it; its plans stay.',
    session,
    sessionView,
  ),
  '_cleveragents/session/export': row(
    'A session as a text: JSON, which can be imported, or Markdown for people.',
    session.extend({ format: z.enum(['json', 'md']).default('json') }),
    z.object({ text: z.string() }),
  ),
  '_cleveragents/session/import': row(
    'Take in an exported session; refused where its checksum does not fit.',
    z.object({ text: z.string(), session_id: z.string().optional() }),
    sessionView,
  ),
} as const
