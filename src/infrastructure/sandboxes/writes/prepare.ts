/**
 * Changing a folder that others may be changing too. First everything is checked and staged (`prepareWrites`), and
 * nothing in the folder is touched; then each path is swapped in (`executeWrites`), and swapped back if one refuses.
 */
import { lstat, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Result } from '../../../domain/failure.ts'
import { ok, refuse } from '../../../domain/failure.ts'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import { isDiskFull } from '../../git/git.ts'
import { removeFolder } from '../remove-folder.ts'
import type { PrivateStore } from '../store/private-store.ts'
import type { TreeChange } from '../store/tree-diff.ts'
import { type Checked, checkTarget } from './check-target.ts'
import { inWriteOrder } from './order.ts'
import { nearestFolder, under } from './parents.ts'
import { stageContents } from './stage.ts'
import { stagingName } from './staging-names.ts'
import type { Target } from './target.ts'

export interface PreparedWrites {
  readonly root: Buffer
  readonly writes: readonly PreparedWrite[]
  readonly stagingFolder: string
}

export interface PreparedWrite {
  readonly change: TreeChange
  /** As it was when it was found to hold the old content. */
  readonly target: Target
  /** New content, on the file system of its destination. */
  readonly staged: Buffer
  /** A second name of what is replaced, until all is done. */
  readonly backup: Buffer
}

export type Prepared =
  | { readonly outcome: 'ready'; readonly prepared: PreparedWrites }
  | { readonly outcome: 'conflicts'; readonly conflicts: readonly ApplyConflict[] }

export async function prepareWrites(
  store: PrivateStore,
  folder: string,
  changes: readonly TreeChange[],
  signal?: AbortSignal,
): Promise<Result<Prepared>> {
  const root = Buffer.from(folder)
  const { staging } = store.folder
  const ordered = inWriteOrder(changes)
  const removed = new Set(
    changes.filter(change => change.new === null).map(change => change.path.toString('latin1')),
  )
  const writes: PreparedWrite[] = []
  const conflicts: ApplyConflict[] = []
  try {
    await rm(staging, { recursive: true, force: true })
    await mkdir(staging, { recursive: true })
    const device = (await lstat(staging)).dev
    for (const [number, change] of ordered.entries()) {
      // What stands where something new must go is left from a command, and is moved aside.
      const checked = change.old === null ? inTheClear : await checkTarget(root, change, removed)
      if (checked.conflict) conflicts.push(checked.conflict)
      else
        writes.push({
          change,
          target: checked.target,
          ...(await stagingPlace(root, change, { staging, device, number })),
        })
    }
    if (conflicts.length > 0) return ok({ outcome: 'conflicts', conflicts })
    const wanted = writes.flatMap(({ change, staged: place, target: like }) =>
      change.new ? [{ entry: change.new, place, like }] : [],
    )
    const staged = await stageContents(store, wanted, { signal })
    if (staged.ok) return ok({ outcome: 'ready', prepared: { root, writes, stagingFolder: staging } })
    await discardStaged(writes, staging)
    return staged
  } catch (error) {
    await discardStaged(writes, staging)
    return writeFailure(error, folder)
  }
}

const inTheClear: Checked = { target: { kind: 'absent' }, conflict: null }

interface StagingChoice {
  readonly staging: string
  readonly device: number
  readonly number: number
}

// A rename works within one file system only. Elsewhere the content waits under a hidden name: at the top, so that no
// folder has to stay because of it, or beside its destination where a file system of its own begins on the way.
async function stagingPlace(root: Buffer, change: TreeChange, choice: StagingChoice) {
  const device = await deviceOf(nearestFolder(root, change.path))
  const place = device === choice.device ? join(choice.staging, String(choice.number)) : null
  const top = device === (await deviceOf(root)) ? root : nearestFolder(root, change.path)
  const base = place === null ? under(top, Buffer.from(stagingName(choice.number))) : Buffer.from(place)
  return {
    staged: Buffer.concat([base, Buffer.from('.new')]),
    backup: Buffer.concat([base, Buffer.from('.old')]),
  }
}

/** Followed, because the root of a sandbox may be a link to where it is mounted. */
async function deviceOf(folder: Buffer): Promise<number> {
  return (await stat(folder)).dev
}

/** Removes what waited for its turn. */
export async function discardStaged(writes: readonly PreparedWrite[], stagingFolder: string): Promise<void> {
  const inside = Buffer.from(`${stagingFolder}/`)
  for (const { staged, backup } of writes) {
    if (staged.subarray(0, inside.length).equals(inside)) continue
    await rm(staged, { force: true })
    await rm(backup, { recursive: true, force: true })
  }
  await removeFolder(stagingFolder)
}

export function writeFailure(error: unknown, folder: string) {
  const message = error instanceof Error ? error.message : String(error)
  if (isDiskFull(message)) return diskFull(folder)
  return refuse('sandbox_failed', `${folder} could not be written: ${message}. Nothing in it was changed.`, {
    folder,
  })
}

export function diskFull(folder: string) {
  return refuse(
    'disk_full',
    `The disk is full. Nothing in ${folder} was changed. Free some space and try again.`,
    { folder },
  )
}
