import type { WireEvent } from '../src/a2a/protocol/events.ts'
import type { MethodName, Output, Params } from '../src/a2a/protocol/methods.ts'

/** What the stores need of a connection to a backend: typed calls, and the event log followed from a number. */
export interface ScreenClient {
  call<Name extends MethodName>(name: Name, params: Params<Name>): Promise<CallResult<Output<Name>>>
  subscribe(from: { readonly afterSeq: number }, listener: EventListener): Promise<CallResult<Subscription>>
}

export interface EventListener {
  readonly event: (event: WireEvent) => void
  /** The stream ended; `overflow` means: subscribe again from the last number seen. */
  readonly end: (reason: 'complete' | 'cancelled' | 'overflow') => void
}

export interface Subscription {
  readonly close: () => void
}

export type CallResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: ClientFailure }

export interface ClientFailure {
  readonly errorType: string
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** Reaches a backend, starting one where needed. `lost` is told once, when an established connection is gone. */
export type Connect = (lost: (reason: string) => void) => Promise<ScreenClient>
