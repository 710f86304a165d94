import type { Failure } from '../failure.ts'

/**
 * Why a model cannot answer where its actor can do something about it, as the fact `reason` of the failure:
 * context_length: what it was told is too long; content_refusal: it, or whoever runs it, will not say anything to that.
 */
const reasonsForActor: readonly unknown[] = ['context_length', 'content_refusal']

export function isForActor({ facts }: Failure): boolean {
  return reasonsForActor.includes(facts['reason'])
}
