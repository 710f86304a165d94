import type { Client } from '../src/a2a/client/client.ts'

/** What the stores need of the typed client: calls, the event log followed from a number, and word of the end. */
export type ScreenClient = Pick<Client, 'call' | 'subscribe' | 'closed' | 'close'>

/** Reaches a backend, starting one where needed. */
export type Connect = () => Promise<ScreenClient>
