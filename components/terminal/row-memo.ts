import type Output from '#ink-output'
import type { Operation } from '#ink-output'

/*
 * Ink composes every cell of every frame anew, 10 ms at 250x70 whatever changed. Here a row whose parts are the very
 * same as in the last frame keeps its string, and only the others are composed, each as a frame of one row by Ink's own
 * code. `<Text>` makes a new transformer only when it renders again, so rows of memoised components match.
 */

type OutputClass = typeof Output
type Clip = Extract<Operation, { type: 'clip' }>['clip']
type Write = Extract<Operation, { type: 'write' }>
type Caches = {
  widths: Map<string, number>
  blockWidths: Map<string, number>
  styledChars: Map<string, { value: string }[]>
  getStyledChars(text: string): { value: string }[]
  getWidestLine(text: string): number
}

/** What one row is made of. Equal lists of the same values compose to the same string. */
type RowParts = { writes: RowWrite[]; signature: unknown[] }
type RowWrite = {
  x: number
  text: string
  index: number
  clip: Clip | undefined
  transformers: Write['transformers']
  /** Where a text of several lines is clipped at the sides: Ink leaves it out by its widest line, not by this one. */
  blockWidth: number | undefined
}
type ComposedRow = { signature: unknown[]; line: string }

const maxCached = 1024
const installed = new WeakSet<object>()

/** Replaces Ink's compositor; the returned function puts it back. Nothing is done where the class is not as expected. */
export function installRowMemo(Class: OutputClass): { isInstalled: boolean; uninstall(): void } {
  if (installed.has(Class.prototype.get)) return { isInstalled: true, uninstall() {} }
  if (!isAsExpected(Class)) return { isInstalled: false, uninstall() {} }
  const original = Class.prototype.get
  let caches: Caches | undefined
  let last: { width: number; rows: ComposedRow[] } = { width: 0, rows: [] }

  function composeRow(width: number, parts: RowParts): ComposedRow {
    const one = new Class({ width, height: 1 })
    one.caches = caches
    for (const { x, text, index, clip, transformers, blockWidth } of parts.writes) {
      if (blockWidth !== undefined) caches?.blockWidths.set(text, blockWidth)
      if (clip) one.clip({ x1: clip.x1, x2: clip.x2, y1: undefined, y2: undefined })
      // In a frame of one row every line is the first; transformers are told which one it was.
      one.write(x, 0, text, { transformers: index === 0 ? transformers : atIndex(transformers, index) })
      if (clip) one.unclip()
    }
    const line = original.call(one).output
    for (const { text, blockWidth } of parts.writes)
      if (blockWidth !== undefined) caches?.blockWidths.delete(text)
    return { signature: parts.signature, line }
  }

  Class.prototype.get = function get() {
    // `isAsExpected` has looked at the members of a real instance.
    caches ??= this.caches as Caches
    this.caches = caches
    dropOldEntries(caches)
    const before = last.width === this.width ? last.rows : []
    const rows = partsOfRows(this, caches).map((parts, y) => {
      const old = before[y]
      return old && isSameList(old.signature, parts.signature) ? old : composeRow(this.width, parts)
    })
    last = { width: this.width, rows }
    return { output: rows.map(row => row.line).join('\n'), height: this.height }
  }
  installed.add(Class.prototype.get)
  return {
    isInstalled: true,
    uninstall() {
      Class.prototype.get = original
    },
  }
}

function isAsExpected(Class: OutputClass): boolean {
  const methods = ['get', 'write', 'clip', 'unclip', 'sliceLineToColumns'] as const
  if (methods.some(name => typeof Class?.prototype?.[name] !== 'function')) return false
  const probe = new Class({ width: 1, height: 1 })
  const caches = probe.caches as Partial<Caches> | undefined
  return (
    Array.isArray(probe.operations) &&
    typeof caches?.getStyledChars === 'function' &&
    typeof caches.getWidestLine === 'function' &&
    [caches.widths, caches.blockWidths, caches.styledChars].every(map => map instanceof Map)
  )
}

function partsOfRows(output: Output, caches: Caches): RowParts[] {
  const rows: RowParts[] = Array.from({ length: output.height }, () => ({ writes: [], signature: [] }))
  const clips: Clip[] = []
  for (const operation of output.operations) {
    if (operation.type === 'clip') clips.push(intersect(clips.at(-1), operation.clip))
    else if (operation.type === 'unclip') clips.pop()
    else {
      const lines = splitLines(output, operation.text, caches)
      const clip = clips.at(-1)
      const isCutAtSides = clip?.x1 !== undefined && lines.length > 1
      addWrite(rows, operation, lines, clip, isCutAtSides ? caches.getWidestLine(operation.text) : undefined)
    }
  }
  return rows
}

function addWrite(
  rows: RowParts[],
  write: Write,
  lines: string[],
  clip: Clip | undefined,
  blockWidth: number | undefined,
): void {
  for (const [index, text] of lines.entries()) {
    const y = write.y + index
    const row = rows[y]
    if (row === undefined || y < (clip?.y1 ?? y) || y >= (clip?.y2 ?? y + 1)) continue
    const { x, transformers } = write
    row.writes.push({ x, text, index, clip, transformers, blockWidth })
    row.signature.push(x, text, index, clip?.x1, clip?.x2, blockWidth, transformers.length, ...transformers)
  }
}

/** Lines of a text, each beginning with the styles that reach over the line end before it. */
function splitLines(output: Output, text: string, caches: Caches): string[] {
  if (!text.includes('\n')) return [text]
  if (!text.includes('\u001b')) return text.split('\n')
  const lines: { value: string }[][] = [[]]
  for (const character of caches.getStyledChars(text)) {
    if (character.value === '\n') lines.push([])
    else lines.at(-1)?.push(character)
  }
  return lines.map(line => toText(output, line, caches))
}

/** Ink's own way back from styled characters to text is reached through its slicing, under a key nothing else uses. */
function toText(output: Output, characters: { value: string }[], caches: Caches): string {
  const key = '\u0000line'
  caches.styledChars.set(key, characters)
  const text = output.sliceLineToColumns(key, -1, Number.POSITIVE_INFINITY)
  caches.styledChars.delete(key)
  return text
}

function intersect(outer: Clip | undefined, inner: Clip): Clip {
  if (outer === undefined) return inner
  return {
    x1: tighter(outer.x1, inner.x1, Math.max),
    x2: tighter(outer.x2, inner.x2, Math.min),
    y1: tighter(outer.y1, inner.y1, Math.max),
    y2: tighter(outer.y2, inner.y2, Math.min),
  }
}

function tighter(one: number | undefined, other: number | undefined, pick: (a: number, b: number) => number) {
  if (one === undefined) return other
  return other === undefined ? one : pick(one, other)
}

function atIndex(transformers: Write['transformers'], index: number): Write['transformers'] {
  return transformers.map(transform => line => transform(line, index))
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index])
}

function dropOldEntries(caches: Caches): void {
  for (const map of [caches.widths, caches.blockWidths, caches.styledChars]) {
    if (map.size > maxCached) map.clear()
  }
}
