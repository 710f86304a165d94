/** What a person chose of a diff: hunks by file and number, bound to the digest of what they saw. */
export interface Picks {
  readonly digest: string
  readonly units: readonly Unit[]
}

/** The smallest thing that can be chosen: a hunk, counted from 1, or a file that has none. */
export interface Unit {
  readonly path: string
  readonly hunk: number | null
}

export function isPicked(picks: Picks | null, unit: Unit): boolean {
  return picks?.units.some(each => isSame(each, unit)) ?? false
}

/** All of these where one is missing, else none of them. */
export function togglePicks(picks: Picks | null, digest: string, units: readonly Unit[]): Picks {
  const before = picks?.digest === digest ? picks.units : []
  const others = before.filter(each => !units.some(unit => isSame(each, unit)))
  const areAll = units.every(unit => before.some(each => isSame(each, unit)))
  return { digest, units: areAll ? others : [...others, ...units] }
}

/** As the wire wants them. */
export function picksByFile({ units }: Picks): { path: string; hunks?: number[] }[] {
  const files = new Map<string, number[]>()
  for (const { path, hunk } of units) {
    const hunks = files.get(path) ?? []
    if (hunk !== null) hunks.push(hunk)
    files.set(path, hunks)
  }
  return [...files].map(([path, hunks]) =>
    hunks.length === 0 ? { path } : { path, hunks: hunks.sort((one, other) => one - other) },
  )
}

function isSame(one: Unit, other: Unit): boolean {
  return one.path === other.path && one.hunk === other.hunk
}
