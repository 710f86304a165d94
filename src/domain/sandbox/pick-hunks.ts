import { type Result, refuse } from '../failure.ts'
import type { ChangedFile } from './changeset.ts'

/** A file of a change set by its path, and which of its hunks, counted from 1; null: all of it. */
export interface PickedFile {
  readonly path: string
  readonly hunks: readonly number[] | null
}

/** The part of a patch that was picked. Bytes stay as they are: latin1 maps each to one character. */
export function pickHunks(
  patch: Uint8Array,
  files: readonly ChangedFile[],
  picked: readonly PickedFile[],
): Result<Uint8Array> {
  const text = Buffer.from(patch).toString('latin1')
  // Lines of files begin with a blank, a sign or a backslash, so neither mark can be one of them.
  const sections = text.split(/^(?=diff --git )/m).filter(section => section !== '')
  const pieces: string[] = []
  for (const { path, hunks } of picked) {
    const section = sections[files.findIndex(file => file.path === path)]
    if (section === undefined || sections.length !== files.length)
      return refuse('not_found', `The plan changes no file at ${path}. Nothing was applied.`, { path })
    const [header = '', ...all] = section.split(/^(?=@@ )/m)
    const missing = hunks?.find(number => all[number - 1] === undefined)
    if (missing !== undefined)
      return refuse('not_found', `${path} has no hunk ${missing}. Nothing was applied.`, {
        path,
        hunk: missing,
      })
    pieces.push(header, ...all.filter((_hunk, at) => hunks === null || hunks.includes(at + 1)))
  }
  return { ok: true, value: Buffer.from(pieces.join(''), 'latin1') }
}
