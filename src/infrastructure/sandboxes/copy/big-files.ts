import type { BigIntStats } from 'node:fs'
import { open } from 'node:fs/promises'
import { ok } from '../../../domain/failure.ts'
import { bytesOfRelPath, covers, type RelPath, relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyChoice, ApplyConflict, Sandbox } from '../../../domain/sandbox/strategy.ts'
import { exactLstatIfThere } from '../writes/lstat-if-there.ts'
import { under } from '../writes/parents.ts'
import { inWords } from './space.ts'
import type { FoundEntry } from './survey.ts'

/**
 * A file too big to be recorded at every checkpoint. It is in the sandbox as a copy and in no state. What is known of
 * the copy is enough to tell that nothing wrote to it, and not enough to bring home what did.
 */
export interface BigFile {
  readonly path: RelPath
  readonly size: number
  readonly stamp: string
}

/** The entries that are recorded, and those that are not. */
export function sortOutBig(entries: readonly FoundEntry[], limit: number): [FoundEntry[], FoundEntry[]] {
  const isBig = ({ stat }: FoundEntry) => stat.isFile() && stat.size > limit
  const byName = (a: FoundEntry, b: FoundEntry) => Buffer.compare(a.path, b.path)
  return [entries.filter(entry => !isBig(entry)), entries.filter(isBig).sort(byName)]
}

export function bigFile(path: Buffer, copy: BigIntStats): BigFile[] {
  const named = relPathFromBytes(path)
  return named.ok ? [{ path: named.value, size: Number(copy.size), stamp: stampOf(copy) }] : []
}

/** A restore names the big files that it leaves as they are; Apply stops for those that the plan changed. */
export function withBigFiles(sandbox: Sandbox, files: readonly BigFile[], projectRoot: string): Sandbox {
  if (files.length === 0) return sandbox
  const { root } = sandbox
  const touched = () => touchedIn(root, files)
  return {
    ...sandbox,
    unrecorded: async () => (await writtenBigFiles({ root, projectRoot, files })).map(({ path }) => path),
    previewRestore: async (state, about) => {
      const preview = await sandbox.previewRestore(state, about)
      if (!preview.ok) return preview
      const why = 'too big to be recorded; it stays as it is now'
      const left = touched().map(({ path }) => ({ what: path, why }))
      return ok({ ...preview.value, cannotRestore: [...preview.value.cannotRestore, ...left] })
    },
    apply: async (request, signal, watch) => {
      const conflicts: ApplyConflict[] = []
      const chosen = files.filter(({ path }) => isChosen(path, request.choice))
      for (const file of await writtenBigFiles({ root, projectRoot, files: chosen }))
        conflicts.push(conflict(root, file))
      if (conflicts.length > 0) return ok({ outcome: 'constrained', conflicts })
      return sandbox.apply(request, signal, watch)
    },
  }
}

/** Those that were written to and that the project does not have as they are in the sandbox. */
export async function writtenBigFiles({
  root,
  projectRoot,
  files,
}: {
  readonly root: string
  readonly projectRoot: string
  readonly files: readonly BigFile[]
}): Promise<BigFile[]> {
  const found: BigFile[] = []
  for (const file of touchedIn(root, files))
    if (!(await isAlike(placeOf(root, file), placeOf(projectRoot, file)))) found.push(file)
  return found
}

function touchedIn(root: string, files: readonly BigFile[]): BigFile[] {
  return files.filter(file => stampAt(placeOf(root, file)) !== file.stamp)
}

function conflict(root: string, { path, size }: BigFile): ApplyConflict {
  const reason = `${path}: the plan wrote to it, and with ${inWords(size)} it was too big to be recorded, so Apply cannot bring it home. Copy it from ${root} yourself and apply again, or apply other files only.`
  return { path, kind: 'too_big', reason }
}

function isChosen(path: RelPath, choice: ApplyChoice): boolean {
  if (choice.kind === 'paths') return choice.only.some(only => covers(only, path))
  return choice.kind === 'all'
}

function placeOf(root: string, { path }: BigFile): Buffer {
  return under(Buffer.from(root), Buffer.from(bytesOfRelPath(path)))
}

/** Whoever writes to a file cannot set the last of these back. */
function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(':')
}

function stampAt(file: Buffer): string {
  const stat = exactLstatIfThere(file)
  return stat?.isFile() ? stampOf(stat) : 'gone'
}

const CHUNK_BYTES = 1024 * 1024

/** Whether two files hold the same bytes, or neither is there. */
async function isAlike(one: Buffer, other: Buffer): Promise<boolean> {
  const [first, second] = [await open(one).catch(() => null), await open(other).catch(() => null)]
  try {
    if (first === null || second === null) return first === second
    if ((await first.stat()).size !== (await second.stat()).size) return false
    const [mine, theirs] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)]
    for (;;) {
      const [a, b] = [await first.read(mine, 0, CHUNK_BYTES), await second.read(theirs, 0, CHUNK_BYTES)]
      if (!mine.subarray(0, a.bytesRead).equals(theirs.subarray(0, b.bytesRead))) return false
      if (a.bytesRead === 0) return true
    }
  } finally {
    await first?.close()
    await second?.close()
  }
}
