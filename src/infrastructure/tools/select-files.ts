import { setImmediate } from 'node:timers/promises'
import type { Result } from '../../domain/failure.ts'
import { bytesOfRelPath } from '../../domain/sandbox/rel-path.ts'
import type { Searched, ToolContext } from '../../domain/tool.ts'
import { errorCode } from '../error-code.ts'
import { compileGlob, literalPrefix } from '../files/glob.ts'
import { type FileText, readText } from '../files/read-text.ts'
import { type WalkedFile, walk } from '../files/walk.ts'

export interface Selection {
  readonly files: readonly WalkedFile[]
  readonly searched: Searched
}

/** The files and links of the sandbox that a glob names, without those that `exclude` names and ignored ones. */
export async function selectFiles(
  { glob, exclude }: { readonly glob: string; readonly exclude: readonly string[] },
  context: ToolContext,
): Promise<Result<Selection>> {
  const matches = compileGlob(glob)
  if (!matches.ok) return matches
  const excludes: ((path: Uint8Array) => boolean)[] = []
  for (const pattern of exclude) {
    const excluded = compileGlob(pattern)
    if (!excluded.ok) return excluded
    excludes.push(excluded.value)
  }
  const isNamed = (path: Uint8Array) => matches.value(path) && !excludes.some(excluded => excluded(path))
  const files = await walk(context.root, context.signal)
  const searched: Searched = {
    prefix: literalPrefix(glob),
    looksAt: path => isNamed(bytesOfRelPath(path)),
  }
  return { ok: true, value: { files: files.filter(file => isNamed(file.bytes)), searched } }
}

export interface SelectedText extends WalkedFile {
  readonly file: FileText
}

/** Reads the text files among them one after the other; binary, huge and vanished ones are passed over. */
export async function* readTexts(
  files: readonly WalkedFile[],
  context: ToolContext,
): AsyncGenerator<SelectedText> {
  // Reading is synchronous; others get their turn every few milliseconds.
  let rested = performance.now()
  for (const walked of files) {
    context.signal.throwIfAborted()
    if (walked.kind === 'link') continue
    if (performance.now() - rested > 10) {
      await setImmediate()
      rested = performance.now()
    }
    const file = readIfThere(walked, context.root)
    if (file) yield { ...walked, file }
  }
}

function readIfThere(walked: WalkedFile, root: string): FileText | null {
  try {
    const read = readText(root, walked.path)
    return read.ok ? read.value : null
  } catch (error) {
    // One unreadable file must not keep the others from being searched.
    if (['ENOENT', 'EACCES', 'ELOOP'].includes(errorCode(error) ?? '')) return null
    throw error
  }
}
