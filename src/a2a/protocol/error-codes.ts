/**
 * The numbers of our own methods' errors; A2A's standard methods answer with A2A's table instead.
 * Clients dispatch on `data.error_type` first: it is stable, and A2A gives several of these numbers other meanings.
 * New codes stay outside A2A's reserved range (-32001 to -32099).
 */
export const errorCodes = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_input: -32602,
  ambiguous: -32602,
  internal: -32603,
  not_found: -32001,
  unauthenticated: -32002,
  denied: -32003,
  untrusted: -32003,
  invalid_state: -32004,
  stale_answer: -32004,
  already_exists: -32005,
  budget_exceeded: -32006,
  version_mismatch: -32007,
  store_newer: -32007,
  preflight_failed: -32008,
  step_failed: -32008,
  transient: -32008,
  sandbox_failed: -32008,
  disk_full: -32008,
  checkpoint_unverified: -32008,
  conflict: -32008,
  store_busy: -32008,
  store_damaged: -32008,
  interrupted: -32008,
  not_available: -32110,
  gate_waits: -32111,
} as const

export type ErrorType = keyof typeof errorCodes

export interface ErrorData {
  readonly error_type: ErrorType
  readonly family: 'cleveragents' | 'a2a'
  readonly details: readonly unknown[]
  readonly facts: Readonly<Record<string, unknown>>
}
