import * as z from 'zod'
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
  const ours = errorData.safeParse(error.data)
  const current = ours.success ? null : errorInfos.safeParse(error.data).data?.[0]
  return {
    errorType: ours.data?.error_type ?? current?.metadata.error_type ?? 'unknown',
    message: error.message,
    facts: ours.data?.facts ?? {},
    code: error.code,
  }
}

const errorData = z.object({ error_type: z.string(), facts: z.record(z.string(), z.unknown()).default({}) })

/** Standard methods of A2A 1.0 keep our word in the first ErrorInfo. */
const errorInfos = z.array(
  z.object({ metadata: z.object({ error_type: z.string().optional() }).default({}) }),
)

/** The caller's own signal ended the waiting. What was asked for may go on. */
export function interrupted(method: string): RpcFailure {
  return { errorType: 'interrupted', message: `${method} was waited for no longer.`, facts: {}, code: 0 }
}
