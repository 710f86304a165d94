/** What became of a text, as a unified diff: for texts of people and models, a few hundred lines long. */
export function unifiedDiff(before: string, after: string, name: string): string {
  const edits = editsOf(linesOf(before), linesOf(after))
  const hunks = hunksOf(edits)
  if (hunks.length === 0) return ''
  return [`--- ${name}`, `+++ ${name}`, ...hunks.flatMap(hunkLines)].join('\n')
}

interface Edit {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
  /** From 1, where the line is or would be. */
  readonly oldAt: number
  readonly newAt: number
}

const CONTEXT = 3

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Along a longest common subsequence; what is removed stands before what is added. */
function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  const common = commonLengths(before, after)
  const edits: Edit[] = []
  for (let old = 0, now = 0; old < before.length || now < after.length; ) {
    const at = { oldAt: old + 1, newAt: now + 1 }
    const [gone, added] = [before[old], after[now]]
    if (gone !== undefined && gone === added) {
      edits.push({ sign: ' ', line: gone, ...at })
      old++
      now++
    } else if (gone !== undefined && lengthAt(common, old + 1, now) >= lengthAt(common, old, now + 1)) {
      edits.push({ sign: '-', line: gone, ...at })
      old++
    } else {
      edits.push({ sign: '+', line: added ?? '', ...at })
      now++
    }
  }
  return edits
}

/** Of what follows each pair of places. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let old = before.length - 1; old >= 0; old--) {
    const row = lengths[old]
    for (let now = after.length - 1; row && now >= 0; now--)
      row[now] =
        before[old] === after[now]
          ? lengthAt(lengths, old + 1, now + 1) + 1
          : Math.max(lengthAt(lengths, old + 1, now), lengthAt(lengths, old, now + 1))
  }
  return lengths
}

function lengthAt(lengths: readonly Uint32Array[], old: number, now: number): number {
  return lengths[old]?.[now] ?? -1
}

/** Changes with the lines around them; those that touch are one. */
function hunksOf(edits: readonly Edit[]): Edit[][] {
  const hunks: Edit[][] = []
  let shownUpTo = 0
  edits.forEach(({ sign }, at) => {
    if (sign === ' ') return
    const from = Math.max(shownUpTo, at - CONTEXT)
    const to = Math.min(edits.length, at + CONTEXT + 1)
    const touches = from <= shownUpTo && hunks.length > 0
    if (touches) hunks.at(-1)?.push(...edits.slice(shownUpTo, to))
    else hunks.push(edits.slice(from, to))
    shownUpTo = to
  })
  return hunks
}

function hunkLines(hunk: readonly Edit[]): string[] {
  const [first] = hunk
  const old = hunk.filter(({ sign }) => sign !== '+').length
  const now = hunk.filter(({ sign }) => sign !== '-').length
  const place = (at: number, count: number) => `${count === 0 ? at - 1 : at},${count}`
  return [
    `@@ -${place(first?.oldAt ?? 1, old)} +${place(first?.newAt ?? 1, now)} @@`,
    ...hunk.map(({ sign, line }) => `${sign}${line}`),
  ]
}
