import type { ChangedFileView, DiffView } from '../src/a2a/protocol/views/changes.ts'
import { sanitize } from '../src/text/sanitize.ts'
import {
  type LineKind,
  lineKinds,
  type PatchFile,
  type PatchIndex,
  patchLine,
} from '../stores/patch-index.ts'
import { patchOf } from '../stores/patch-text.ts'
import type { Unit } from '../stores/picks.ts'
import type { Fetched } from '../stores/shelf.ts'
import type { Shelves } from '../stores/shelves.ts'
import type { DiffLayout } from '../stores/ui.ts'
import type { DiffDialog, DiffSource } from './dialogs.ts'

/** One file of a diff as shown: its lines without git's headers, as many as were asked for. */
export interface ShownFile {
  readonly file: ChangedFileView
  readonly index: PatchIndex
  /** First line of the body, in lines of the patch. */
  readonly first: number
  readonly lineCount: number
  /** Lines left out until the whole file is asked for. */
  readonly hiddenCount: number
  readonly hunkLines: readonly number[]
}

export interface DiffLine {
  readonly kind: LineKind
  readonly text: string
  /** Its number in the new file, or in the old one for a removed line. */
  readonly number: number | null
}

const shownAtFirst = 2_000

export function diffKey(source: DiffSource): string {
  return [source.planId, source.decisionId ?? '', source.correctionId ?? '', source.against ?? ''].join(' ')
}

export function fetchedDiff(shelves: Shelves, source: DiffSource): Fetched<DiffView> | undefined {
  return shelves.diffs.peek(diffKey(source))
}

export function shownFile(diff: DiffView, dialog: Pick<DiffDialog, 'file' | 'expanded'>): ShownFile | null {
  const file = diff.files[dialog.file]
  if (!file) return null
  const index = patchOf(diff, sanitize)
  const inPatch = findInPatch(index, file, dialog.file)
  const first = inPatch?.hunkLines[0] ?? (inPatch ? inPatch.firstLine : 0)
  const whole = inPatch ? inPatch.firstLine + inPatch.lineCount - first : 0
  const lineCount = dialog.expanded.includes(dialog.file) ? whole : Math.min(whole, shownAtFirst)
  const hunkLines = (inPatch?.hunkLines ?? []).map(line => line - first)
  return { file, index, first, lineCount, hiddenCount: whole - lineCount, hunkLines }
}

/** The lines from `top` on, each with its number. */
export function diffLines(shown: ShownFile, top: number, count: number): DiffLine[] {
  const lines: DiffLine[] = []
  let { old, fresh } = numbersAt(shown, top)
  for (let at = top; at < Math.min(top + count, shown.lineCount); at++) {
    const { kind, text } = patchLine(shown.index, shown.first + at)
    if (kind === 'hunk') ({ old, fresh } = hunkStart(text))
    const number = kind === 'removed' ? old : kind === 'added' || kind === 'context' ? fresh : null
    lines.push({ kind, text, number })
    if (kind === 'removed' || kind === 'context') old++
    if (kind === 'added' || kind === 'context') fresh++
  }
  return lines
}

/** What of a diff can be chosen, file by file. */
export function unitsOf(diff: DiffView): Unit[][] {
  const index = patchOf(diff, sanitize)
  return diff.files.map((file, at) => {
    const hunks = file.binary ? 0 : (findInPatch(index, file, at)?.hunkLines.length ?? 0)
    if (hunks === 0) return [{ path: file.path, hunk: null }]
    return Array.from({ length: hunks }, (_, hunk) => ({ path: file.path, hunk: hunk + 1 }))
  })
}

/** How many rows a file takes, and where its hunks begin in them. */
export interface DiffRows {
  readonly count: number
  readonly hunks: readonly number[]
}

export function rowsOf(shown: ShownFile, layout: DiffLayout): DiffRows {
  if (layout === 'unified') return { count: shown.lineCount, hunks: shown.hunkLines }
  const { old, hunks } = sidesOf(shown)
  return { count: old.length, hunks }
}

/** The hunk at the top of the view, counted from 0. */
export function hunkAt({ hunks }: DiffRows, top: number): number {
  return Math.max(
    0,
    hunks.findLastIndex(row => row <= top),
  )
}

/** One row of both sides: a line that is the same, one or two that differ, or one that says where this is. */
export type SideRow =
  | { readonly kind: 'over'; readonly line: DiffLine }
  | { readonly kind: 'pair'; readonly old: DiffLine | null; readonly fresh: DiffLine | null }

/** The rows from `top` on, removed lines beside the added ones that stand in their place. */
export function sideRows(shown: ShownFile, top: number, count: number): SideRow[] {
  const { old, fresh, oldNumbers, freshNumbers } = sidesOf(shown)
  const rows: SideRow[] = []
  for (let row = top; row < Math.min(top + count, old.length); row++) {
    const before = lineAt(shown, old[row], oldNumbers[row])
    const after = lineAt(shown, fresh[row], freshNumbers[row])
    const line = before ?? after
    const isOver = line && (line.kind === 'hunk' || line.kind === 'note' || line.kind === 'header')
    rows.push(isOver ? { kind: 'over', line } : { kind: 'pair', old: before, fresh: after })
  }
  return rows
}

/** Line numbers within the file's part of the patch for each row of either side; -1 where a side has none. */
interface Sides {
  readonly old: Int32Array
  readonly fresh: Int32Array
  readonly oldNumbers: Int32Array
  readonly freshNumbers: Int32Array
  readonly hunks: readonly number[]
}

const paired = new WeakMap<PatchIndex, Map<string, Sides>>()

function sidesOf(shown: ShownFile): Sides {
  const byFile = paired.get(shown.index) ?? new Map<string, Sides>()
  paired.set(shown.index, byFile)
  const key = `${shown.first} ${shown.lineCount}`
  const known = byFile.get(key)
  if (known) return known
  const sides = pairLines(shown)
  byFile.set(key, sides)
  return sides
}

function pairLines({ index, first, lineCount }: ShownFile): Sides {
  const old: number[] = []
  const fresh: number[] = []
  const hunks: number[] = []
  let removed: number[] = []
  let added: number[] = []
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      old.push(removed[at] ?? -1)
      fresh.push(added[at] ?? -1)
    }
    removed = []
    added = []
  }
  for (let line = 0; line < lineCount; line++) {
    const kind = lineKinds[index.kinds[first + line] ?? 0]
    if (kind === 'removed') removed.push(line)
    else if (kind === 'added') added.push(line)
    else {
      flush()
      if (kind === 'hunk') hunks.push(old.length)
      old.push(line)
      fresh.push(line)
    }
  }
  flush()
  return {
    old: Int32Array.from(old),
    fresh: Int32Array.from(fresh),
    hunks,
    ...numbersOf({ index, first }, old, fresh),
  }
}

/** The number of each row's line in the old and in the new file; -1 where it has none. */
function numbersOf(
  { index, first }: Pick<ShownFile, 'index' | 'first'>,
  old: readonly number[],
  fresh: readonly number[],
): Pick<Sides, 'oldNumbers' | 'freshNumbers'> {
  const oldNumbers = new Int32Array(old.length).fill(-1)
  const freshNumbers = new Int32Array(old.length).fill(-1)
  let next = { old: 1, fresh: 1 }
  for (let row = 0; row < old.length; row++) {
    const [before = -1, after = -1] = [old[row], fresh[row]]
    const kind = lineKinds[index.kinds[first + Math.max(before, after)] ?? 0]
    if (kind === 'hunk') next = hunkStart(patchLine(index, first + before).text)
    if (kind !== 'context' && kind !== 'removed' && kind !== 'added') continue
    if (before >= 0) oldNumbers[row] = next.old++
    if (after >= 0) freshNumbers[row] = next.fresh++
  }
  return { oldNumbers, freshNumbers }
}

function lineAt(shown: ShownFile, line = -1, number = -1): DiffLine | null {
  if (line < 0) return null
  return { ...patchLine(shown.index, shown.first + line), number: number < 0 ? null : number }
}

/** Paths of the list and of the patch come in the same order; where they do not, the name decides. */
function findInPatch(index: PatchIndex, file: ChangedFileView, at: number): PatchFile | undefined {
  const names = (each: PatchFile) => patchLine(index, each.firstLine).text.includes(file.path)
  const sameIndex = index.files[at]
  return sameIndex && names(sameIndex) ? sameIndex : index.files.find(names)
}

function numbersAt(shown: ShownFile, top: number): { old: number; fresh: number } {
  const hunk = shown.hunkLines.findLast(line => line < top)
  if (hunk === undefined) return { old: 1, fresh: 1 }
  let { old, fresh } = hunkStart(patchLine(shown.index, shown.first + hunk).text)
  for (let at = hunk + 1; at < top; at++) {
    const kind = lineKinds[shown.index.kinds[shown.first + at] ?? 0]
    if (kind === 'removed' || kind === 'context') old++
    if (kind === 'added' || kind === 'context') fresh++
  }
  return { old, fresh }
}

function hunkStart(header: string): { old: number; fresh: number } {
  const found = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(header)
  return { old: Number(found?.[1] ?? 1), fresh: Number(found?.[2] ?? 1) }
}
