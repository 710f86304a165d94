import type { JsonRpcError, JsonRpcId } from '../protocol/envelope.ts'

/** A frame from the backend: an answer, or a notification. */
export interface Incoming {
  readonly id?: JsonRpcId | undefined
  readonly method?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly result?: unknown
  readonly error?: JsonRpcError | undefined
}

/**
 * A parsed line as a frame, or null when it is none. By hand rather than by a schema: it runs for every event of a
 * stream, and the screen would load the whole schema library for these five fields.
 */
export function readFrame(frame: unknown): Incoming | null {
  if (!isFields(frame)) return null
  const { id, method, params, result, error } = frame
  if (id !== undefined && id !== null && typeof id !== 'number' && typeof id !== 'string') return null
  if (method !== undefined && typeof method !== 'string') return null
  if (params !== undefined && !isFields(params)) return null
  if (error === undefined) return { id, method, params, result }
  const failure = readError(error)
  return failure && { id, method, params, result, error: failure }
}

function readError(error: unknown): JsonRpcError | null {
  const { code, message, data } = fieldsOf(error)
  if (typeof code !== 'number' || typeof message !== 'string') return null
  return { code, message, data }
}

/** The fields of an object; of anything else, none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
