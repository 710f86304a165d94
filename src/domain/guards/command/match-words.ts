import type { Glob, PatternWord } from '../tool-rule.ts'
import { globMatches } from '../tool-rule.ts'
import { HOLE, type ShellWord } from './command-line.ts'

/** maybe: it depends on what is known only when the command runs. */
export type Match = 'yes' | 'maybe' | 'no'

/** Whether every command that these words can become is one that the pattern means. */
export function alwaysMatches(pattern: readonly PatternWord[], words: readonly ShellWord[]): boolean {
  return matchWords(pattern, words, { word: coversWord, skips: () => false }) === 'yes'
}

export interface WordMatcher {
  /** How a word of the command answers to a word of the pattern. */
  word(glob: Glob, word: ShellWord): Match
  /** Whether a word may be passed over, e.g. since it is the value of an option. */
  skips(at: number): boolean
}

/** Any word of the pattern's rest takes any number of words, none included. */
export function matchWords(
  pattern: readonly PatternWord[],
  words: readonly ShellWord[],
  matcher: WordMatcher,
): Match {
  const known = new Map<number, Match>()
  return from(0, 0)

  function from(at: number, next: number): Match {
    const key = at * (words.length + 1) + next
    const before = known.get(key)
    if (before) return before
    // Ends recursion through words that may be nothing.
    known.set(key, 'no')
    const match = best(ways(at, next))
    known.set(key, match)
    return match
  }

  function* ways(at: number, next: number): Generator<Match> {
    const wanted = pattern[at]
    const word = words[next]
    if (!wanted) {
      if (!word) yield 'yes'
      else if (word.splits || matcher.skips(next)) yield least('maybe', from(at, next + 1))
      return
    }
    if (wanted.kind === 'rest') {
      yield from(at + 1, next)
      if (word) yield from(at, next + 1)
      return
    }
    if (!word) return
    yield least(matcher.word(wanted.glob, word), from(at + 1, next + 1))
    if (matcher.skips(next)) yield least('maybe', from(at, next + 1))
    if (!word.splits) return
    yield least('maybe', from(at, next + 1))
    yield least('maybe', from(at + 1, next))
  }
}

const order: readonly Match[] = ['no', 'maybe', 'yes']

export function best(matches: Iterable<Match>): Match {
  let found: Match = 'no'
  for (const match of matches) {
    if (order.indexOf(match) > order.indexOf(found)) found = match
    if (found === 'yes') break
  }
  return found
}

export function least(one: Match, other: Match): Match {
  return order.indexOf(one) < order.indexOf(other) ? one : other
}

function coversWord(glob: Glob, word: ShellWord): Match {
  // What may become several words is covered by a rest only; `src/*` does not mean src/../../x.
  const isOpen = word.splits || (glob.length > 1 && word.value.split('/').includes('..'))
  return !isOpen && globMatches(glob, word.value) ? 'yes' : 'no'
}

/** Whether a word whose holes may be anything can be one that the pattern means. */
export function mayBe(glob: Glob, value: string): Match {
  if (!value.includes(HOLE)) return globMatches(glob, value) ? 'yes' : 'no'
  if (globMatches(glob, value)) return 'yes'
  return meet(glob.join('*'), value) ? 'maybe' : 'no'
}

/** Whether two texts, the one with stars and the other with holes, can be the same. */
function meet(starred: string, holed: string): boolean {
  let reached = new Set([0])
  for (let at = 0; at <= holed.length; at++) {
    const letter = holed[at]
    reached = pastStars(starred, reached)
    if (letter === undefined) return reached.has(starred.length)
    if (letter === HOLE) {
      const first = Math.min(...reached)
      reached = new Set(Array.from({ length: starred.length - first + 1 }, (_, more) => first + more))
      continue
    }
    const next = [...reached].flatMap(index => {
      if (starred[index] === '*') return [index]
      return starred[index] === letter ? [index + 1] : []
    })
    if (next.length === 0) return false
    reached = new Set(next)
  }
  return false
}

function pastStars(starred: string, reached: ReadonlySet<number>): Set<number> {
  const all = new Set(reached)
  for (const index of all) if (starred[index] === '*') all.add(index + 1)
  return all
}
