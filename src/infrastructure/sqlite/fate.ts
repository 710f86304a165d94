/**
 * What became of something that a plan decided or did, as an SQL expression over `plans`: 0 where a correction took it
 * back or the plan ended before Apply, 1 where the plan came as far as Apply, NULL while nobody knows.
 */
export function fateOf(wasCorrected: string): string {
  return `CASE
    WHEN ${wasCorrected} THEN 0
    WHEN plans.phase = 'apply' THEN 1
    WHEN plans.state IN ('errored', 'cancelled') THEN 0
  END`
}
