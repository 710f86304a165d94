/** One line of a bench. Ratios count: absolute values change from machine to machine, so each names what it is held against. */
export interface Measurement {
  /** "key to paint, 10,000 nodes, p95" */
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 'MiB' | 'bytes' | '%' | 'per second'
  /** Measured in turn with ours, in the same run. */
  readonly floor: { readonly what: string; readonly value: number } | null
}

/** The value below which the given part (0 to 1) of the samples lies. */
export function percentile(samples: readonly number[], part: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
  if (value === undefined) throw new Error('no samples')
  return value
}
