import { z } from 'zod'
import type { JsonRpcError } from '../protocol/envelope.ts'

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

export function readFailure(error: JsonRpcError): RpcFailure {
  const data = errorData.safeParse(error.data)
  return {
    errorType: data.data?.error_type ?? 'unknown',
    message: error.message,
    facts: data.data?.facts ?? {},
    code: error.code,
  }
}

const errorData = z.object({ error_type: z.string(), facts: z.record(z.string(), z.unknown()).default({}) })

/** The caller's own signal ended the waiting. What was asked for may go on. */
export function interrupted(method: string): RpcFailure {
  return { errorType: 'interrupted', message: `${method} was waited for no longer.`, facts: {}, code: 0 }
}
