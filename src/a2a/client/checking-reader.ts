import { wireEvent } from '../protocol/events.ts'
import { methods, type Output } from '../protocol/methods.ts'
import type { AnswerReader } from './answer-reader.ts'
import { connectionLost } from './rpc-failure.ts'

/** Holds every result and event against its schema: in tests, and for a backend of another build. */
export const checkingReader: AnswerReader = {
  result(method, value) {
    const checked = methods[method].result.safeParse(value)
    // The schema is the one the type is made from; TypeScript does not carry that through a lookup by name.
    if (checked.success) return { ok: true, value: checked.data as Output<typeof method> }
    const failure = connectionLost(`The answer to ${method} has another shape: ${checked.error.message}`)
    return { ok: false, failure: { ...failure, errorType: 'unexpected_answer' } }
  },
  event: value => wireEvent.parse(value),
}
