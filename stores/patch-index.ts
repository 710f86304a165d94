/** Where each line of a unified patch begins and what it is, without an object per line. */
export interface PatchIndex {
  readonly patch: string
  readonly starts: Uint32Array
  readonly kinds: Uint8Array
  readonly lineCount: number
  readonly files: readonly PatchFile[]
  readonly longestLine: number
}

export interface PatchFile {
  readonly firstLine: number
  readonly lineCount: number
  readonly hunkLines: readonly number[]
}

export const lineKinds = ['header', 'hunk', 'context', 'added', 'removed', 'note'] as const
export type LineKind = (typeof lineKinds)[number]

export function indexPatch(patch: string): PatchIndex {
  const { starts, lengths } = splitLines(patch)
  const kinds = new Uint8Array(starts.length)
  const files: { firstLine: number; lineCount: number; hunkLines: number[] }[] = []
  let old = 0
  let fresh = 0
  for (let line = 0; line < starts.length; line++) {
    const start = starts[line] ?? 0
    const kind = old > 0 || fresh > 0 ? bodyKind(patch, start) : headKind(patch, start)
    if (kind === 'header' && patch.startsWith('diff --git ', start))
      files.push({ firstLine: line, lineCount: 0, hunkLines: [] })
    const file = files.at(-1)
    if (file) file.lineCount = line - file.firstLine + 1
    if (kind === 'hunk') {
      file?.hunkLines.push(line)
      ;[old, fresh] = hunkCounts(patch.slice(start, start + 100))
    }
    if (kind === 'context' || kind === 'removed') old--
    if (kind === 'context' || kind === 'added') fresh--
    kinds[line] = lineKinds.indexOf(kind)
  }
  const longestLine = lengths.reduce((longest, length) => Math.max(longest, length), 0)
  return { patch, starts: Uint32Array.from(starts), kinds, lineCount: starts.length, files, longestLine }
}

export function patchLine(index: PatchIndex, line: number): { kind: LineKind; text: string } {
  const start = index.starts[line] ?? 0
  const next = index.starts[line + 1] ?? index.patch.length + 1
  const end = line + 1 < index.lineCount ? next - 1 : trimmedLength(index.patch)
  return { kind: lineKinds[index.kinds[line] ?? 0] ?? 'note', text: index.patch.slice(start, end) }
}

function splitLines(patch: string): { starts: number[]; lengths: number[] } {
  const starts: number[] = []
  const lengths: number[] = []
  for (let start = 0; start < patch.length; ) {
    const end = patch.indexOf('\n', start)
    const stop = end < 0 ? patch.length : end
    starts.push(start)
    lengths.push(stop - start)
    start = stop + 1
  }
  return { starts, lengths }
}

function trimmedLength(patch: string): number {
  return patch.endsWith('\n') ? patch.length - 1 : patch.length
}

/** Inside a hunk the first character decides, so that a removed line of dashes is no header. */
function bodyKind(patch: string, start: number): LineKind {
  const first = patch[start]
  if (first === '+') return 'added'
  if (first === '-') return 'removed'
  return first === '\\' ? 'note' : 'context'
}

function headKind(patch: string, start: number): LineKind {
  if (patch.startsWith('@@ ', start)) return 'hunk'
  return patch[start] === '\\' ? 'note' : 'header'
}

function hunkCounts(header: string): [number, number] {
  const found = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(header)
  return [Number(found?.[1] ?? 1), Number(found?.[2] ?? 1)]
}
