import type { ChangedFile } from '../../../domain/sandbox/changeset.ts'
import { relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import { compareTrees, type EntryChange } from './compare-trees.ts'
import { countLines } from './count-lines.ts'
import type { PrivateStore } from './private-store.ts'

/** Beyond this, git in a process of its own is better. */
const MOST_FILES = 64

/** A change set as git would list it, made in this process. Null where files may have moved, or git has to count. */
export function countedChanges(store: PrivateStore, from: string, to: string): ChangedFile[] | null {
  const changes = compareTrees(store, from, to)
  if (changes === null || changes.length > MOST_FILES || mayHaveMoves(changes)) return null
  const files: ChangedFile[] = []
  for (const change of changes) {
    const status = statusOf(change)
    if (status === null) return null
    const counts = countLines(store.folder.store, change.old?.object ?? null, change.new?.object ?? null)
    if (counts === null) return null
    const path = relPathFromBytes(change.path)
    if (path.ok) files.push({ path: path.value, oldPath: null, status, ...counts })
  }
  return files
}

function mayHaveMoves(changes: readonly EntryChange[]): boolean {
  return changes.some(change => change.old === null) && changes.some(change => change.new === null)
}

/** Null where one kind of thing became another. */
function statusOf({ old, new: now }: EntryChange): ChangedFile['status'] | null {
  if ([old, now].some(entry => entry?.mode === '160000')) return null
  if (old === null) return 'added'
  if (now === null) return 'deleted'
  if (isLink(old.mode) !== isLink(now.mode)) return null
  return old.object === now.object ? 'mode_changed' : 'modified'
}

function isLink(mode: string): boolean {
  return mode === '120000'
}
