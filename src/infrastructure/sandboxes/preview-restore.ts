import { randomUUID } from 'node:crypto'
import { copyFile, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../domain/failure.ts'
import { relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type {
  RestoredPath,
  RestorePreview,
  RestoreScope,
  SandboxState,
} from '../../domain/sandbox/strategy.ts'
import { restoreChanges } from './restore-changes.ts'
import { splitNul } from './store/nul-list.ts'
import type { PrivateStore } from './store/private-store.ts'
import { placeOf, type WorkFolder } from './store/snapshot.ts'
import type { TreeChange } from './store/tree-diff.ts'

interface Asked {
  readonly state: SandboxState
  readonly scope: RestoreScope
  readonly since: string
}

/** What a restore would do to a folder, worked out like the restore itself but on a copy of the index. */
export async function previewRestore(
  store: PrivateStore,
  folder: WorkFolder,
  asked: Asked,
  signal: AbortSignal,
): Promise<Result<RestorePreview>> {
  const index = join(store.folder.scratch, randomUUID())
  try {
    await copyFile(folder.index, index)
    const found = await restoreChanges(store, { ...folder, index }, asked, signal)
    if (!found.ok) return found
    const leftAlone = await ignoredSince(store, { ...folder, index }, asked.since, signal)
    if (!leftAlone.ok) return leftAlone
    return ok({
      restored: found.value.changes.flatMap(restoredPath),
      leftAlone: leftAlone.value,
      cannotRestore: [],
    })
  } finally {
    await rm(index, { force: true })
  }
}

function restoredPath(change: TreeChange): RestoredPath[] {
  const path = relPathFromBytes(change.path)
  if (!path.ok) return []
  if (change.new === null) return [{ path: path.value, how: 'removed' }]
  return [{ path: path.value, how: change.old === null ? 'brought_back' : 'rewritten' }]
}

async function ignoredSince(
  store: PrivateStore,
  folder: WorkFolder,
  since: string,
  signal: AbortSignal,
): Promise<Result<RestorePreview['leftAlone']>> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  const listed = await store.run({ ...placeOf(folder), args }, signal)
  if (!listed.ok) return listed
  // Bringing them along was a change too, but nobody's.
  const made = (await lstat(store.folder.record).catch(() => null))?.mtimeMs ?? 0
  const after = Math.max(Date.parse(since), made)
  const found: { path: RestoredPath['path']; changedAt: string }[] = []
  for (const name of splitNul(listed.value)) {
    const changedAt = await lastChange(Buffer.concat([Buffer.from(`${folder.workTree}/`), name]), signal)
    const path = relPathFromBytes(name.at(-1) === SLASH ? name.subarray(0, -1) : name)
    if (path.ok && changedAt > after)
      found.push({ path: path.value, changedAt: new Date(changedAt).toISOString() })
  }
  return ok(found)
}

/** When anything at or below a path last changed: a content, a mode, or an entry that came or went. */
async function lastChange(path: Buffer, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted()
  const entry = await lstat(path).catch(() => null)
  if (!entry?.isDirectory()) return entry?.ctimeMs ?? 0
  const inside = path.at(-1) === SLASH ? path : Buffer.concat([path, Buffer.from('/')])
  const names = await readdir(inside, { encoding: 'buffer' }).catch(() => [])
  let newest = entry.ctimeMs
  for (const name of names) newest = Math.max(newest, await lastChange(Buffer.concat([inside, name]), signal))
  return newest
}

const SLASH = 0x2f
