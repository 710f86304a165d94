/** JSON-RPC 2.0 envelopes. One JSON object a line over stdio; the same objects in memory and over HTTP. */
import * as z from 'zod'

export const requestId = z.union([z.string(), z.number().int(), z.null()])
export type JsonRpcId = z.infer<typeof requestId>

export const jsonRpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: requestId.optional(),
  method: z.string().trim().min(1),
  params: z.record(z.string(), z.unknown()).optional(),
})
export type JsonRpcRequest = z.infer<typeof jsonRpcRequest>

export interface JsonRpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export type JsonRpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: JsonRpcId; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: JsonRpcId; readonly error: JsonRpcError }

export interface JsonRpcNotification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export type Frame = JsonRpcResponse | JsonRpcNotification

/** A longer line is skipped up to its line feed and answered with an error; the session lives on. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024

/** Past this many waiting frames a stream ends with `overflow` and the client subscribes again. */
export const MAX_WAITING_FRAMES = 1_000

export const STREAM_END = '$/streamEnd'
export const CANCEL_REQUEST = '$/cancelRequest'
export type StreamEndReason = 'complete' | 'cancelled' | 'overflow'

export const EXTENSION_URI = 'urn:cleveragents:extensions:v1'
export const STDIO_BINDING = 'urn:cleveragents:bindings:stdio:v1'
