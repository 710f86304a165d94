const FIRST_MS = 1_000
const LONGEST_MS = 30_000

/** How long to wait before the next try (requirements GAP-22). `random`, from 0 to 1, spreads it by a fifth either way. */
export function backoffMs(tried: number, random: number): number {
  return Math.min(LONGEST_MS, Math.round(FIRST_MS * 2 ** tried * (0.8 + 0.4 * random)))
}
