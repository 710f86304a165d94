import type { JsonRpcError } from '../../protocol/envelope.ts'
import type { ErrorData, ErrorType } from '../../protocol/error-codes.ts'
import type { Generation } from '../service-parameters.ts'
import { isRecord } from '../service-parameters.ts'
import { errorInfo } from '../to-error.ts'

/** An error of A2A's own table, in the shape of its generation. */
export function standardError(
  generation: Generation,
  code: number,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
): JsonRpcError {
  const known = table[code] ?? internal
  const info = errorInfo(known.reason, 'a2a-protocol.org', { error_type: known.type, ...facts })
  if (generation === '1.0') return { code, message, data: [info] }
  return { code, message, data: dataOf(info, known.type, facts) }
}

/** The SDK leaves errors of 0.3 without data and knows nothing of our stable words; clients switch on both. */
export function withData(frame: unknown, generation: Generation): unknown {
  if (!isRecord(frame) || !isRecord(frame['error'])) return frame
  const { code, message, data } = frame['error']
  const given = Array.isArray(data) && isRecord(data[0]) ? data[0]['metadata'] : null
  if (isRecord(given) && 'error_type' in given) return frame
  return { ...frame, error: standardError(generation, Number(code), String(message)) }
}

const internal = { reason: 'INTERNAL_ERROR', type: 'internal' } as const

const table: Readonly<Record<number, { readonly reason: string; readonly type: ErrorType }>> = {
  [-32600]: { reason: 'INVALID_REQUEST', type: 'invalid_request' },
  [-32601]: { reason: 'METHOD_NOT_FOUND', type: 'method_not_found' },
  [-32602]: { reason: 'INVALID_PARAMS', type: 'invalid_input' },
  [-32603]: internal,
  [-32001]: { reason: 'TASK_NOT_FOUND', type: 'not_found' },
  [-32002]: { reason: 'TASK_NOT_CANCELABLE', type: 'invalid_state' },
  [-32003]: { reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED', type: 'not_available' },
  [-32004]: { reason: 'UNSUPPORTED_OPERATION', type: 'invalid_state' },
  [-32005]: { reason: 'CONTENT_TYPE_NOT_SUPPORTED', type: 'invalid_input' },
  [-32007]: { reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED', type: 'not_available' },
  [-32009]: { reason: 'VERSION_NOT_SUPPORTED', type: 'version_mismatch' },
}

function dataOf(info: unknown, type: ErrorType, facts: Readonly<Record<string, unknown>>): ErrorData {
  return { error_type: type, family: 'a2a', details: [info], facts }
}
