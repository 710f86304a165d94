import * as z from 'zod'
import { isRecord } from '../service-parameters.ts'

export type Params = Readonly<Record<string, unknown>>

/** What the SDK lets through and A2A does not; and what clients of our guide leave out, put in. */
export function repairedParams(params: Params): Params {
  const { message } = params
  if (!isRecord(message)) return params
  const messageId = typeof message['messageId'] === 'string' ? message['messageId'] : crypto.randomUUID()
  return { ...params, message: { ...message, messageId } }
}

/** What is wrong, with paths; null when nothing is. */
export function paramsFault(name: string, params: Params): string | null {
  const checked = schemaOf(name).safeParse(params)
  if (checked.success) return null
  return checked.error.issues
    .map(({ path, message }) => `${path.join('.') || 'params'}: ${message}`)
    .join('; ')
}

function schemaOf(name: string): z.ZodType {
  if (/^(message\/(send|stream)|Send(Streaming)?Message)$/.test(name)) return sending
  if (/^(tasks\/(get|cancel|resubscribe)|(Get|Cancel)Task|SubscribeToTask)$/.test(name)) return naming
  return /^(tasks\/list|ListTasks)$/.test(name) ? listing : z.looseObject({})
}

const NO_PARTS = 'a message needs at least one part'
const length = z.number().int().nonnegative().optional()

const sending = z.looseObject({
  message: z.looseObject({
    parts: z.array(z.looseObject({}), NO_PARTS).min(1, NO_PARTS),
    role: z.literal(['user', 'ROLE_USER', 1], 'clients send messages in the role of the user'),
  }),
  configuration: z.looseObject({ historyLength: length }).optional(),
})
const naming = z.looseObject({ id: z.string().min(1), historyLength: length })
const listing = z.looseObject({
  pageSize: z.number().int().min(1).max(100).optional(),
  historyLength: length,
})
