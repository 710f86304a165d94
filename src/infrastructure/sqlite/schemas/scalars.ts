import * as z from 'zod'
import { type AnyId, isUlid, type MessageId } from '../../../domain/ids.ts'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'

/** What a row may hold besides texts and numbers. The parts are used by the schemas beside this file. */
export function id<Id extends AnyId>() {
  return z.custom<Id>(value => typeof value === 'string' && isUlid(value), 'not a ULID')
}

export const messageIdSchema = z.custom<MessageId>(
  value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  'not the id of a message',
)

export const strategyText = z.object({
  text: z.string(),
  revision: z.number(),
  editedBy: z.string().nullable(),
})

export const sandboxState = z.custom<SandboxState>(value => typeof value === 'string', 'not a sandbox state')

export const relPath = z.custom<RelPath>(value => typeof value === 'string' && value !== '', 'not a path')
export const paths = z.union([z.array(relPath), z.literal('unknown')])

/** Handed on as it was read: copying key by key would lose one called `__proto__`, which JSON may hold. */
export const facts = z.custom<Readonly<Record<string, unknown>>>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
  'not an object',
)
