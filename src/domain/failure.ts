/**
 * Every expected refusal. They are returned as values; bugs and broken surroundings are thrown.
 * What a code means is this one row; its numbers are in a2a/protocol/error-codes.ts and cli/exit-codes.ts.
 */
export const failureCodes = {
  invalid_input: { modelCanRepair: true, retryHelps: false },
  not_found: { modelCanRepair: true, retryHelps: false },
  ambiguous: { modelCanRepair: true, retryHelps: false },
  already_exists: { modelCanRepair: false, retryHelps: false },
  invalid_state: { modelCanRepair: false, retryHelps: false },
  stale_answer: { modelCanRepair: false, retryHelps: false },
  conflict: { modelCanRepair: false, retryHelps: false },
  denied: { modelCanRepair: false, retryHelps: false },
  untrusted: { modelCanRepair: false, retryHelps: false },
  unauthenticated: { modelCanRepair: false, retryHelps: false },
  budget_exceeded: { modelCanRepair: false, retryHelps: false },
  preflight_failed: { modelCanRepair: false, retryHelps: false },
  step_failed: { modelCanRepair: true, retryHelps: false },
  transient: { modelCanRepair: false, retryHelps: true },
  sandbox_failed: { modelCanRepair: false, retryHelps: true },
  disk_full: { modelCanRepair: false, retryHelps: true },
  checkpoint_unverified: { modelCanRepair: false, retryHelps: false },
  store_busy: { modelCanRepair: false, retryHelps: true },
  store_newer: { modelCanRepair: false, retryHelps: false },
  store_damaged: { modelCanRepair: false, retryHelps: false },
  version_mismatch: { modelCanRepair: false, retryHelps: false },
  gate_waits: { modelCanRepair: false, retryHelps: false },
  not_available: { modelCanRepair: false, retryHelps: false },
  interrupted: { modelCanRepair: false, retryHelps: true },
} as const

export type FailureCode = keyof typeof failureCodes

export interface Failure {
  readonly code: FailureCode
  /** What happened, to what, and what to do next: one or more plain sentences. */
  readonly message: string
  /** The facts behind the sentence, for machines (names, candidates, digests). Never secrets. */
  readonly facts: Readonly<Record<string, unknown>>
}

export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure }

export function ok(): Result<void>
export function ok<Value>(value: Value): Result<Value>
export function ok<Value>(value?: Value): Result<Value | undefined> {
  return { ok: true, value }
}

/** What was found, turned into something else; a refusal stays one. */
export function mapped<From, To>(result: Result<From>, turn: (value: From) => To): Result<To> {
  return result.ok ? ok(turn(result.value)) : result
}

export function refuse(
  code: FailureCode,
  message: string,
  facts: Record<string, unknown> = {},
): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code, message, facts } }
}

/**
 * A refusal that must come as a throw: it happens where a transaction has to roll back, e.g. the store is busy or the
 * disk is full. The places that catch bugs answer with its failure instead of an internal error.
 */
export class FailureError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, options?: { readonly cause: unknown }) {
    super(failure.message, options)
    this.name = 'FailureError'
    this.failure = failure
  }
}

/** For the end of a switch over a union: adding a variant makes the compiler list the work. */
export function assertNever(value: never): never {
  throw new Error(`unexpected variant: ${JSON.stringify(value)}`)
}
