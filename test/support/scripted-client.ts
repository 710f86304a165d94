import type { SubscribeOptions, SubscriptionEnd } from '../../src/a2a/client/client.ts'
import type { CallResult } from '../../src/a2a/client/rpc-failure.ts'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import type { MethodName, Output, Params } from '../../src/a2a/protocol/methods.ts'
import type { ScreenClient } from '../../stores/screen-client.ts'

type Answer<Name extends MethodName> = (
  params: Params<Name>,
) => Output<Name> | CallResult<Output<Name>> | Promise<Output<Name> | CallResult<Output<Name>>>

export type Answers = { [Name in MethodName]?: Answer<Name> }

/** A backend made of prepared answers: replays recorded events and notes what it was asked. */
export function createScriptedClient(answers: Answers) {
  const calls: { name: string; params: unknown }[] = []
  const ends: string[] = []
  const subscribedAfter: (number | null)[] = []
  let listener: SubscribeOptions | null = null
  let endStream = (_end: SubscriptionEnd) => {}
  let lose = (_reason: string) => {}

  const client: ScreenClient = {
    async call(name, params) {
      calls.push({ name, params })
      // The table is typed by name; a lookup by a variable name forgets which one it is.
      const answer = answers[name] as ((params: unknown) => unknown) | undefined
      if (!answer) return refusal('not_found', `The script has no answer to ${name}.`)
      const value = (await answer(params)) as object
      return (value && 'ok' in value ? value : { ok: true, value }) as never
    },
    subscribe(options) {
      subscribedAfter.push(options.afterSeq)
      listener = options
      return new Promise(resolve => {
        endStream = resolve
      })
    },
    closed: new Promise(resolve => {
      lose = resolve
    }),
    async close() {
      ends.push('close')
    },
    leave: () => ends.push('leave'),
  }

  return {
    client,
    calls,
    /** How it was let go. */
    ends,
    subscribedAfter,
    send(...events: WireEvent[]): void {
      for (const event of events) listener?.onEvent(event)
    },
    endStream: (end: SubscriptionEnd) => endStream(end),
    lose: (reason: string) => lose(reason),
    callsOf: (name: MethodName) => calls.filter(call => call.name === name).map(call => call.params),
  }
}

export type ScriptedClient = ReturnType<typeof createScriptedClient>

export function refusal(errorType: string, message: string) {
  return { ok: false as const, failure: { errorType, message, facts: {}, code: -32000 } }
}
