import * as z from 'zod'
import { type Result, refuse } from '../../domain/failure.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { ToolContext, ToolOutcome } from '../../domain/tool.ts'
import { bytesOfFileText, type FileText } from '../files/read-text.ts'
import type { WalkedFile } from '../files/walk.ts'
import { writeFileInside } from '../files/write-file.ts'
import { pathList } from './define-tool.ts'
import { readTexts, type SelectedText } from './select-files.ts'

export const rewriteOutput = z.strictObject({
  paths: pathList,
  count: z.number(),
  /** Files left alone because their encoding has no place for the given words. */
  skipped: pathList,
})

/** The new text with the number of replacements, or null where the file cannot be handled. */
export type Rewrite = (text: SelectedText) => { readonly text: string; readonly count: number } | null

const maxRewrittenBytes = 256 * 1024 * 1024

/** Computes every change before the first byte is written: a refusal or an abort on the way leaves all files alone. */
export async function rewriteFiles(
  files: readonly WalkedFile[],
  rewrite: Rewrite,
  context: ToolContext,
): Promise<Result<ToolOutcome & { output: z.infer<typeof rewriteOutput> }>> {
  const changed: { path: RelPath; file: FileText }[] = []
  const skipped: RelPath[] = []
  let count = 0
  let size = 0
  for await (const selected of readTexts(files, context)) {
    const next = rewrite(selected)
    if (next === null) skipped.push(selected.path)
    if (!next || next.count === 0) continue
    count += next.count
    size += next.text.length
    if (size > maxRewrittenBytes)
      return refuse('invalid_input', 'Too much would change at once; narrow the glob.', { field: 'glob' })
    changed.push({ path: selected.path, file: { ...selected.file, text: next.text } })
  }
  for (const { path, file } of changed) {
    const written = await writeFileInside(context.root, path, bytesOfFileText(file))
    if (!written.ok) return written
  }
  const paths = changed.map(({ path }) => path)
  const left = skipped.length === 0 ? '' : `, left ${skipped.length} alone that are not UTF-8`
  const summary = `replaced ${count} in ${paths.length} files${left}`
  return {
    ok: true,
    value: { output: { paths, count, skipped }, summary, read: paths, written: paths },
  }
}
