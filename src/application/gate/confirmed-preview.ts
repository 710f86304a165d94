import { type Result, refuse } from '../../domain/failure.ts'
import { namesDigest } from '../../domain/gate/gate.ts'

/** Refuses an act whose preview is another by now than the one that was confirmed; null: nothing was, or just this one. */
export function refusalIfMoved(digest: string, confirmed: string | null): Result<never> | null {
  if (confirmed === null || namesDigest(digest, confirmed)) return null
  const message = 'The plan moved on since the preview. Look at the new one and confirm again.'
  return refuse('stale_answer', message, { digest })
}
