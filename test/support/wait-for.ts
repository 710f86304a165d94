import { setTimeout as delay } from 'node:timers/promises'
import { vi } from 'vitest'

/** Resolves with the first answer that is not null or false. What never comes fails the test by its time limit. */
export async function waitFor<Value>(
  look: () => Value | null | false | Promise<Value | null | false>,
): Promise<Value> {
  for (;;) {
    const found = await look()
    if (found !== null && found !== false) return found
    await delay(20)
  }
}

/** Looks again until what is expected holds. What never does fails the test with what was found last. */
export function eventually<Value>(expectation: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(expectation, { timeout: PATIENCE_MS, interval: 50 })
}

/** Several programs start and work at once, on few cores: slow is not broken. */
export const PATIENCE_MS = 60_000
