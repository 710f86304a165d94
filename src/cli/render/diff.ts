import type { ChangedFileView, DiffView } from '../../a2a/protocol/views/changes.ts'
import { sanitizeLines } from '../../text/sanitize.ts'
import type { Meaning, Paper } from './paper.ts'
import { counted } from './words.ts'

/** The patch for people to read: every line made safe. For programs it is printed as it is, see patchBytes. */
export function diffLines({ files, patch, patch_encoding }: DiffView, paper: Paper): string[] {
  if (files.length === 0) return ['No changes.']
  const text = patch_encoding === 'utf8' ? patch : new TextDecoder().decode(decodeBase64(patch))
  const lines = sanitizeLines(text.replace(/\n$/, ''))
  return [...statLines({ files }, paper), '', ...lines.map(line => paintedLine(line, paper))]
}

export function statLines({ files }: Pick<DiffView, 'files'>, paper: Paper): string[] {
  if (files.length === 0) return ['No changes.']
  const sum = (count: (file: ChangedFileView) => number) =>
    files.reduce((total, file) => total + count(file), 0)
  const total = `${counted(files.length, 'file')}, +${sum(file => file.additions)} -${sum(file => file.deletions)}`
  return [...fileRows(files, paper), total]
}

/** What the two sides are, above either. */
export function withSides(lines: (view: DiffView, paper: Paper) => string[]) {
  return (view: DiffView, paper: Paper): string[] => [
    paper.paint('muted', `${view.old.title} ${paper.marks.arrow} ${view.new.title}`),
    ...lines(view, paper),
  ]
}

export function fileRows(files: readonly ChangedFileView[], { paint, marks }: Paper): string[] {
  return files.map(file => {
    const path = file.old_path === null ? file.path : `${file.old_path} ${marks.arrow} ${file.path}`
    const counts = file.binary
      ? 'binary'
      : `${paint('added', `+${file.additions}`)} ${paint('removed', `-${file.deletions}`)}`
    return `${file.status}  ${path}  ${counts}`
  })
}

/** The patch exactly as `git apply` needs it. */
export function patchBytes({ patch, patch_encoding }: DiffView): Uint8Array {
  return patch_encoding === 'base64' ? decodeBase64(patch) : new TextEncoder().encode(patch)
}

function decodeBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}

function paintedLine(line: string, { paint }: Paper): string {
  const meaning = meaningOf(line)
  return meaning === null ? line : paint(meaning, line)
}

function meaningOf(line: string): Meaning | null {
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|similarity|rename )/.test(line)) return 'strong'
  if (line.startsWith('@@')) return 'muted'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : null
}
