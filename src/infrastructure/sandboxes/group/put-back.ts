import { type Result, refuse } from '../../../domain/failure.ts'

/** Takes back what was done to one part of the group. */
export type Undo = () => Promise<Result<unknown>>

/** What was done before something failed is taken back, last first; what could not be is named with the answer. */
export async function putBack<Value>(undo: readonly Undo[], answer: Result<Value>): Promise<Result<Value>> {
  const lost: string[] = []
  for (const each of undo.toReversed()) {
    const back = await each()
    if (!back.ok) lost.push(back.failure.message)
  }
  if (lost.length === 0) return answer
  const more = `What was done before it could not be put back: ${lost.join(' ')}`
  if (answer.ok) return refuse('sandbox_failed', more)
  return { ok: false, failure: { ...answer.failure, message: `${answer.failure.message} ${more}` } }
}
