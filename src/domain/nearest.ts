/** A sentence that helps after an unknown name: the nearest ones, else the known ones while they are few. */
export function suggest(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  if (near.length > 0) return `Did you mean ${list(near, 'or')}?`
  if (known.length === 0) return 'There are none.'
  if (known.length <= 12) return `Known: ${[...new Set(known)].sort().join(', ')}.`
  return `${known.length} are known, none is similar.`
}

/** What to say where nothing has the name. An empty one, as of an unset variable, was never a name. */
export function noneNamed(noun: string, name: string, known: readonly string[]): string {
  if (name.trim() !== '') return `There is no ${noun} ${name}. ${suggest(name, known)}`
  return `The name of the ${noun} is empty. ${known.length === 0 ? 'There are none.' : suggest('', known)}`
}

/** The known names most like this one, best first; empty when none is similar. */
export function nearest(name: string, known: readonly string[], limit = 3): string[] {
  if (name.length > LONGEST_NAME) return []
  return [...new Set(known)]
    .map(candidate => ({ candidate, distance: distanceOfNames(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= tolerance(name, candidate))
    .sort((a, b) => a.distance - b.distance || compare(a.candidate, b.candidate))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** Nothing longer is a slip of the fingers, and comparing it would be work without end. */
const LONGEST_NAME = 200

function list(names: readonly string[], word: string): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`
}

/** A name may be given without its namespace, cut short, and in any case. */
function distanceOfNames(given: string, known: string): number {
  const a = given.toLowerCase()
  const b = known.toLowerCase()
  if (a.length > 2 && b.startsWith(a)) return 1
  const most = tolerance(given, known)
  const whole = distanceWithin(most, a, b)
  return Math.min(whole, distanceWithin(most, lastPart(a), lastPart(b)) + (a.includes('/') ? 1 : 0))
}

/** Lengths that differ by more need more steps than that: no need to count them. */
function distanceWithin(most: number, a: string, b: string): number {
  return Math.abs(a.length - b.length) > most ? Number.POSITIVE_INFINITY : editDistance(a, b)
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

function tolerance(given: string, known: string): number {
  const shorter = Math.min(lastPart(given).length, lastPart(known).length)
  return shorter < 4 ? 1 : Math.floor(shorter / 3) + 1
}

/** Insertions, deletions, replacements and swaps of neighbours each cost one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
