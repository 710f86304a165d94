import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { type ChangedFile, isNamedBy, namesOf } from '../../../domain/sandbox/changeset.ts'
import { bytesText, type RelPath } from '../../../domain/sandbox/rel-path.ts'
import { listChanges } from './changes.ts'
import type { PrivateStore } from './private-store.ts'
import { diffTrees, indexLine, type TreeChange } from './tree-diff.ts'
import type { FolderEntry } from './tree-object.ts'

/**
 * The tree that has `from` everywhere but `to` in the chosen files. A folder stands for all files in it; a rename is
 * chosen as a whole by either of its names.
 */
export async function selectPaths(
  store: PrivateStore,
  { from, to, only }: { from: string; to: string; only: readonly RelPath[] },
): Promise<Result<string>> {
  const listed = await listChanges(store, from, to)
  if (!listed.ok) return listed
  const chosen = chosenNames(listed.value.files, only)
  if (!chosen.ok) return chosen
  const changes = await diffTrees(store, from, to)
  if (!changes.ok) return changes
  const taken = changes.value.filter(change => chosen.value.has(change.path.toString('latin1')))
  return treeWith(store, from, taken)
}

/** The tree that has `to` everywhere but `from` in these paths. */
export async function withoutPaths(
  store: PrivateStore,
  { from, to, except }: { from: string; to: string; except: readonly RelPath[] },
): Promise<Result<string>> {
  if (except.length === 0) return ok(to)
  const changes = await diffTrees(store, to, from)
  if (!changes.ok) return changes
  const names = new Set(except.map(bytesText))
  const taken = changes.value.filter(change => names.has(change.path.toString('latin1')))
  return treeWith(store, to, taken)
}

function chosenNames(files: readonly ChangedFile[], only: readonly RelPath[]): Result<Set<string>> {
  const names = new Set<string>()
  for (const path of only) {
    const matching = files.filter(file => isNamedBy(file, path))
    if (matching.length === 0) return refuse('not_found', `The plan changes no file at ${path}.`, { path })
    for (const name of matching.flatMap(namesOf)) names.add(bytesText(name))
  }
  return ok(names)
}

/** A tree with the new side of these changes laid into it. */
export function treeWith(
  store: PrivateStore,
  from: string,
  changes: readonly TreeChange[],
): Promise<Result<string>> {
  return treeWithLines(store, from, Buffer.concat(changes.map(indexLine)))
}

/** A tree with these entries laid into it, in this order; mode 0 takes one away. */
export function treeWithEntries(
  store: PrivateStore,
  from: string,
  entries: readonly (FolderEntry & { readonly path: Buffer })[],
): Promise<Result<string>> {
  const lines = entries.map(({ mode, object, path }) =>
    Buffer.concat([Buffer.from(`${mode} ${object}\t`), path, Buffer.from([0])]),
  )
  return treeWithLines(store, from, Buffer.concat(lines))
}

async function treeWithLines(store: PrivateStore, from: string, lines: Buffer): Promise<Result<string>> {
  const index = join(store.folder.scratch, randomUUID())
  try {
    const read = await store.run({ index, args: ['read-tree', from] })
    if (!read.ok) return read
    const updated = await store.run({ index, args: ['update-index', '-z', '--index-info'], stdin: lines })
    if (!updated.ok) return updated
    const written = await store.run({ index, args: ['write-tree'] })
    return written.ok ? ok(written.value.toString().trim()) : written
  } finally {
    await rm(index, { force: true })
  }
}
