import { monotonicFactory } from 'ulid'
import type { IdSource } from '../../domain/ids.ts'

/** ULIDs that grow within this process, also when the clock is set back. */
export function createIdSource(): IdSource {
  // Opened at the first id: it loads Node's cryptography, and a command that only looks makes no ids.
  let next: (() => string) | null = null
  return () => {
    next ??= monotonicFactory()
    return next()
  }
}
