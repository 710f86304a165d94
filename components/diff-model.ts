import type { ChangedFileView, DiffView } from '../src/a2a/protocol/views.ts'
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
  return [source.planId, source.decisionId ?? '', source.correctionId ?? ''].join(' ')
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

/** The hunk at the top of the view, counted from 0. */
export function hunkAt(shown: ShownFile, top: number): number {
  return Math.max(
    0,
    shown.hunkLines.findLastIndex(line => line <= top),
  )
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
