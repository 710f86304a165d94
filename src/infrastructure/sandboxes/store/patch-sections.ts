/**
 * A patch as git writes it, taken apart: one section for each file (two where a file turns into a link), with its lines
 * as bytes, because files have no encoding.
 */
export interface PatchSection {
  /** "diff --git ..." with the names as the patch spells them, and whether the file comes or goes. */
  readonly key: string
  /** What stands between the first line and the first hunk, e.g. modes and names. */
  readonly header: readonly string[]
  readonly hunks: readonly Hunk[]
  /** The lines of a binary change, which is one piece. */
  readonly binary: string | null
}

export interface Hunk {
  readonly oldStart: number
  readonly oldCount: number
  /** The lines with their signs, as latin1 text. */
  readonly lines: readonly string[]
}

/** Null and the line where something stands that no section of a patch can begin with. */
export type ParsedPatch =
  | { readonly sections: readonly PatchSection[]; readonly strange: null }
  | { readonly sections: null; readonly strange: string }

export function parsePatch(patch: Uint8Array): ParsedPatch {
  const lines = Buffer.from(patch).toString('latin1').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const sections: PatchSection[] = []
  let at = 0
  while (at < lines.length) {
    const first = lines[at] ?? ''
    if (!first.startsWith(BEGIN)) return { sections: null, strange: first }
    const read = readSection(lines, at)
    if (typeof read === 'string') return { sections: null, strange: read }
    sections.push(read.section)
    at = read.end
  }
  return { sections, strange: null }
}

const BEGIN = 'diff --git '
const BINARY = 'GIT binary patch'

function readSection(lines: readonly string[], begin: number) {
  let at = begin + 1
  const isOwn = () => at < lines.length && !lines[at]?.startsWith(BEGIN)
  const header: string[] = []
  while (isOwn() && !lines[at]?.startsWith('@@ ') && lines[at] !== BINARY) header.push(lines[at++] ?? '')
  let binary: string | null = null
  const hunks: Hunk[] = []
  if (lines[at] === BINARY) {
    const from = at
    while (isOwn()) at++
    binary = lines.slice(from, at).join('\n').trimEnd()
  }
  while (isOwn()) {
    const hunk = readHunk(lines, at)
    if (hunk === null) return lines[at] ?? ''
    hunks.push(hunk)
    at += hunk.lines.length + 1
  }
  const fate = header.find(line => /^(new|deleted) file mode /.test(line))?.split(' ')[0] ?? 'kept'
  const section: PatchSection = { key: `${lines[begin]}\n${fate}`, header, hunks, binary }
  return { section, end: at }
}

// "@@ -<start>[,<count>] +<start>[,<count>] @@ ...". The new side is counted anew when hunks before it are left out.
function readHunk(lines: readonly string[], at: number): Hunk | null {
  const range = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/.exec(lines[at] ?? '')
  if (range === null) return null
  let end = at + 1
  while (end < lines.length && /^[ +\-\\]/.test(lines[end] ?? '')) end++
  return { oldStart: Number(range[1]), oldCount: Number(range[2] ?? 1), lines: lines.slice(at + 1, end) }
}

/** Cut into its sections and no further, each with its first line. Joined again they are the patch. */
export function cutPatch(patch: Uint8Array): { readonly heading: string; readonly bytes: Buffer }[] {
  const text = Buffer.from(patch).toString('latin1')
  const sections = text.split(new RegExp(`^(?=${BEGIN})`, 'm')).filter(section => section !== '')
  return sections.map(section => {
    const bytes = Buffer.from(section, 'latin1')
    return { heading: bytes.subarray(0, section.indexOf('\n')).toString(), bytes }
  })
}

export function sameHunk(one: Hunk, other: Hunk): boolean {
  return (
    one.oldStart === other.oldStart &&
    one.oldCount === other.oldCount &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, index) => line === other.lines[index])
  )
}

/** What a file becomes with these hunks of a patch of it, and without the others: at the very lines they name. */
export function withHunks(content: Buffer, hunks: readonly Hunk[]): Buffer {
  const old = linesOf(content.toString('latin1'))
  const parts: string[] = []
  let next = 0
  for (const hunk of [...hunks].sort((one, other) => one.oldStart - other.oldStart)) {
    // Without old lines, the number is that of the line before.
    const start = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1
    const { before, after } = sidesOf(hunk)
    const replaced = old.slice(start, start + hunk.oldCount)
    if (start < next || replaced.join('') !== before.join('')) throw new Error('the hunk is of another file')
    parts.push(...old.slice(next, start), ...after)
    next = start + hunk.oldCount
  }
  return Buffer.from([...parts, ...old.slice(next)].join(''), 'latin1')
}

/** Lines with their ends; the last may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function sidesOf({ lines }: Hunk): { before: string[]; after: string[] } {
  const before: string[] = []
  const after: string[] = []
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('\\')) continue
    // "\ No newline at end of file" is about the line above it.
    const text = line.slice(1) + (lines[index + 1]?.startsWith('\\') ? '' : '\n')
    if (!line.startsWith('+')) before.push(text)
    if (!line.startsWith('-')) after.push(text)
  }
  return { before, after }
}
