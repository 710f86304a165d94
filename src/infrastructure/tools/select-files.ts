import { setImmediate } from 'node:timers/promises'
import { ok, type Result } from '../../domain/failure.ts'
import { bytesOfRelPath } from '../../domain/sandbox/rel-path.ts'
import type { Searched, ToolContext } from '../../domain/tool.ts'
import { errorCode } from '../error-code.ts'
import { compileGlob, literalPrefix } from '../files/glob.ts'
import { type FileText, readText } from '../files/read-text.ts'
import { type WalkedFile, walk } from '../files/walk.ts'

export interface Place {
  readonly glob: string
  readonly exclude: readonly string[]
}

/** The files and links of the sandbox that a glob names, without those that `exclude` names and ignored ones. */
export async function selectFiles(place: Place, context: ToolContext): Promise<Result<WalkedFile[]>> {
  const isNamed = compilePlace(place)
  if (!isNamed.ok) return isNamed
  const files = await walk(context.root, context.signal)
  return ok(files.filter(file => isNamed.value(file.bytes)))
}

/** Every path that such a call looks at, there or not; null where a glob is none. */
export function placeSearched(place: Place): Searched | null {
  const isNamed = compilePlace(place)
  if (!isNamed.ok) return null
  return { prefix: literalPrefix(place.glob), looksAt: path => isNamed.value(bytesOfRelPath(path)) }
}

function compilePlace({ glob, exclude }: Place): Result<(path: Uint8Array) => boolean> {
  const matches = compileGlob(glob)
  if (!matches.ok) return matches
  const excludes: ((path: Uint8Array) => boolean)[] = []
  for (const pattern of exclude) {
    const excluded = compileGlob(pattern)
    if (!excluded.ok) return excluded
    excludes.push(excluded.value)
  }
  return ok(path => matches.value(path) && !excludes.some(excluded => excluded(path)))
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
