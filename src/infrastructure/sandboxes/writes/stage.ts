import type { FileHandle } from 'node:fs/promises'
import { chmod, open, symlink } from 'node:fs/promises'
import { ok, type Result } from '../../../domain/failure.ts'
import type { PrivateStore } from '../store/private-store.ts'
import type { TreeEntry } from '../store/tree-diff.ts'
import type { Target } from './target.ts'

export interface Staging {
  readonly entry: TreeEntry
  /** Where the content is written; nothing is there. */
  readonly place: Buffer
  /** The file whose permissions it takes over. */
  readonly like: Target
}

/** Writes each content of the store to its place, with the permissions it will have. */
export async function stageContents(
  store: PrivateStore,
  wanted: readonly Staging[],
  { signal, onStaged }: { readonly signal?: AbortSignal | undefined; readonly onStaged?: () => void } = {},
): Promise<Result<void>> {
  if (wanted.length === 0) return ok()
  const writer = contentWriter(wanted, onStaged ?? (() => {}))
  const stdin = Buffer.from(wanted.map(({ entry }) => `${entry.object}\n`).join(''))
  try {
    const read = await store.run({ args: ['cat-file', '--batch'], stdin, onOutput: writer.take }, signal)
    if (!read.ok) return read
    writer.assertComplete()
    return ok()
  } finally {
    await writer.close()
  }
}

// The answer is "<object> blob <size>\n<bytes>\n" for each object asked, in order, in chunks of any length.
function contentWriter(wanted: readonly Staging[], onStaged: () => void) {
  let position = 0
  let header = Buffer.alloc(0)
  let left = 0
  let isInContent = false
  let file: FileHandle | null = null
  let link: Buffer[] = []

  const begin = async () => {
    const [object, kind, size] = header.toString('latin1').split(' ')
    const next = wanted[position]
    if (!next || object !== next.entry.object || kind !== 'blob') throw new Error(`object missing: ${header}`)
    header = Buffer.alloc(0)
    left = Number(size)
    isInContent = true
    if (next.entry.mode === '120000') link = []
    else file = await open(next.place, 'wx', next.entry.mode === '100755' ? 0o777 : 0o666)
  }

  const finish = async () => {
    const next = wanted[position++]
    isInContent = false
    if (next?.entry.mode === '120000') await symlink(Buffer.concat(link), next.place)
    await file?.close()
    file = null
    const permissions = next && next.entry.mode !== '120000' ? permissionsOf(next) : null
    if (next && permissions !== null) await chmod(next.place, permissions)
    onStaged()
  }

  return {
    async take(chunk: Buffer): Promise<void> {
      let rest = chunk
      while (rest.length > 0) {
        if (!isInContent) {
          const end = rest.indexOf(NEWLINE)
          header = Buffer.concat([header, end < 0 ? rest : rest.subarray(0, end)])
          if (end < 0) return
          rest = rest.subarray(end + 1)
          await begin()
          continue
        }
        const content = rest.subarray(0, left)
        if (file) await file.writeFile(content)
        else link.push(Buffer.from(content))
        left -= content.length
        rest = rest.subarray(content.length)
        if (left > 0 || rest.length === 0) return
        rest = rest.subarray(1)
        await finish()
      }
    },
    assertComplete() {
      if (position !== wanted.length)
        throw new Error(`only ${position} of ${wanted.length} contents could be read`)
    },
    async close() {
      await file?.close()
    },
  }
}

// Only the executable bit is the plan's to change; who may read and write a file is the user's.
function permissionsOf({ like, entry }: Staging): number | null {
  if (like.kind !== 'entry' || like.mode === '120000') return null
  if (entry.mode === '100644') return like.permissions & ~0o111
  return like.permissions | ((like.permissions & 0o444) >> 2)
}

const NEWLINE = 0x0a
