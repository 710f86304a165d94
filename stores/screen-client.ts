import type { Client } from '../src/a2a/client/client.ts'

/** What the stores need of the typed client: calls, the event log followed from a number, and word of the end. */
export type ScreenClient = Pick<Client, 'call' | 'subscribe' | 'closed' | 'close'> & {
  /** Hangs up on a backend that was told to go on alone. */
  leave(): void
}

/** Reaches a backend, starting one where needed. */
export type Connect = () => Promise<ScreenClient>
