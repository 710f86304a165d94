import * as z from 'zod'
import type { JsonRpcError, JsonRpcId } from '../protocol/envelope.ts'
import { isRecord } from './service-parameters.ts'
import { wireError } from './to-error.ts'

export type Reading =
  | {
      readonly kind: 'request'
      /** Absent for a notification. */
      readonly id: JsonRpcId | undefined
      readonly method: string
      readonly params: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'refused'; readonly id: JsonRpcId; readonly error: JsonRpcError }
  /** A notification is never answered, a faulty one neither. */
  | { readonly kind: 'ignored'; readonly reason: string }

/** One parsed frame as a JSON-RPC request, or why it is none. */
export function readRequest(frame: unknown): Reading {
  if (Array.isArray(frame))
    return refused(null, 'Batches are not taken; send the requests one by one.', { received: 'array' })
  if (!isRecord(frame)) return refused(null, 'A request is a JSON object.', { received: typeof frame })
  const envelope = jsonRpcRequest.safeParse(frame)
  if (envelope.success) {
    const { id, method, params = {} } = envelope.data
    return { kind: 'request', id, method, params }
  }
  if (isNotification(frame)) return { kind: 'ignored', reason: 'a faulty notification' }
  const id = requestId.safeParse(frame['id'] ?? null)
  return refused(id.success ? id.data : null, describe(frame, envelope.error.issues), {
    issues: envelope.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  })
}

const requestId = z.union([z.string(), z.number().int(), z.null()])

const jsonRpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: requestId.optional(),
  method: z.string().trim().min(1),
  params: z.record(z.string(), z.unknown()).optional(),
})

/** What calls a method and wants no answer. Without a method it is no notification but a broken request. */
function isNotification(frame: Record<string, unknown>): boolean {
  return !('id' in frame) && typeof frame['method'] === 'string' && frame['jsonrpc'] === '2.0'
}

function describe(
  frame: Record<string, unknown>,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const old = Object.keys(renamed).filter(name => name in frame)
  const hints = old.map(name => `"${name}" is now "${renamed[name]}"`)
  if (hints.length > 0) return `This is the request form of earlier versions: ${hints.join(', ')}.`
  const wrong = issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`)
  return `This is no JSON-RPC 2.0 request: ${wrong.join('; ')}.`
}

const renamed: Readonly<Record<string, string>> = {
  a2a_version: 'jsonrpc',
  request_id: 'id',
  operation: 'method',
}

function refused(id: JsonRpcId, message: string, facts: Record<string, unknown>): Reading {
  return { kind: 'refused', id, error: wireError('invalid_request', message, facts) }
}
