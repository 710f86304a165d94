import type { JsonRpcError } from '../protocol/envelope.ts'
import { fieldsOf } from './read-frame.ts'

/** What the backend refused, or why it could not be asked. `errorType` is the stable word to switch on. */
export interface RpcFailure {
  readonly errorType: string
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly code: number
}

export type CallResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: RpcFailure }

/** The connection is gone, or the answer makes no sense: nothing that the backend said. */
export function connectionLost(reason: string): RpcFailure {
  return { errorType: 'connection_lost', message: reason, facts: {}, code: 0 }
}

export function readFailure({ code, message, data }: JsonRpcError): RpcFailure {
  // Standard methods of A2A 1.0 keep our word in the first ErrorInfo.
  const holder = Array.isArray(data) ? fieldsOf(fieldsOf(data[0])['metadata']) : fieldsOf(data)
  const { error_type: errorType, facts } = holder
  return {
    errorType: typeof errorType === 'string' ? errorType : 'unknown',
    message,
    facts: Array.isArray(data) ? {} : fieldsOf(facts),
    code,
  }
}

/** The caller's own signal ended the waiting. What was asked for may go on. */
export function interrupted(method: string): RpcFailure {
  return { errorType: 'interrupted', message: `${method} was waited for no longer.`, facts: {}, code: 0 }
}
