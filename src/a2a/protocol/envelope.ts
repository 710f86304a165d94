/** JSON-RPC 2.0 envelopes. One JSON object a line over stdio; the same objects in memory and over HTTP. */
export type JsonRpcId = string | number | null

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
