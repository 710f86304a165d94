import { setTimeout as delay } from 'node:timers/promises'

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
