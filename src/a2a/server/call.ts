/** What a handler is given beside its checked params, and what it gives back. */
import type { Backend } from '../../application/backend.ts'
import type { Result } from '../../domain/failure.ts'
import type { ProcessIdentity } from '../../domain/plan/journal.ts'
import type { CheckedParams, MethodName, methods, Output } from '../protocol/methods.ts'

export interface Call {
  readonly backend: Backend
  /** This process, so that views can say "runs here". */
  readonly here: ProcessIdentity
  /** In whose name gates are answered. */
  readonly user: string
  readonly version: string
  readonly session: Session
  readonly signal: AbortSignal
}

/** What one peer has agreed on. */
export interface Session {
  readonly id: string
  readonly binding: 'memory' | 'stdio' | 'http'
  /** As the peer named it; empty means 0.3. */
  version: string
}

export type AvailableMethod = {
  [Name in MethodName]: (typeof methods)[Name] extends { readonly available: false } ? never : Name
}[MethodName]

export type StreamingMethod = {
  [Name in MethodName]: (typeof methods)[Name] extends { readonly streaming: true } ? Name : never
}[MethodName]

export type Handler<Name extends MethodName> = (
  params: CheckedParams<Name>,
  call: Call,
) => Result<Output<Name>> | Promise<Result<Output<Name>>>
