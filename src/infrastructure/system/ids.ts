import { monotonicFactory } from 'ulid'
import type { IdSource } from '../../domain/ids.ts'

/** ULIDs that grow within this process, also when the clock is set back. */
export function createIdSource(): IdSource {
  const next = monotonicFactory()
  return () => next()
}
