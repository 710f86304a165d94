import { chmodSync, mkdirSync, renameSync, rmdirSync } from 'node:fs'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyConflict, ApplyStep, OnApplyStep } from '../../../domain/sandbox/strategy.ts'
import type { PrivateStore } from '../store/private-store.ts'
import { conflictAt } from '../writes/conflict.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { parentsOf, presentParents, under } from '../writes/parents.ts'
import { putAt } from '../writes/second-name.ts'
import { readTargetNow, type Target } from '../writes/target.ts'
import { type ApplyJournal, bytesOf, type Operation } from './journal.ts'
import { observer } from './look.ts'
import { type Places, placesOf } from './places.ts'

/** One pass over a journal, in either direction, by this process. */
export interface Run {
  readonly store: PrivateStore
  readonly journal: ApplyJournal
  readonly root: Buffer
  readonly places: Places
  /** By the bytes of their names as latin1 text. */
  readonly madeFolders: ReadonlySet<string>
  readonly standing: ReturnType<typeof observer>
  /** By path: why it was left as it is. */
  readonly left: Map<RelPath, ApplyConflict>
  readonly notices: string[]
  tell(did: ApplyStep['did']): void
  advance(): void
}

export function runOver(store: PrivateStore, journal: ApplyJournal, onStep: OnApplyStep = () => {}): Run {
  let done = 0
  const total = journal.operations.length
  return {
    store,
    journal,
    root: Buffer.from(journal.root),
    places: placesOf(store.folder, journal),
    madeFolders: new Set(journal.madeFolders.map(path => bytesOf(path).toString('latin1'))),
    standing: observer(journal),
    left: new Map(),
    notices: [...journal.notices],
    tell: did => onStep({ did, done, total }),
    advance: () => {
      done++
    },
  }
}

/** Goes through the operations in an order. What somebody changed since is left and noted. */
export async function goThrough(
  run: Run,
  operations: readonly Operation[],
  act: (operation: Operation) => Promise<ApplyConflict | null>,
  signal?: AbortSignal,
): Promise<void> {
  for (const operation of operations) {
    signal?.throwIfAborted()
    const conflict = await act(operation)
    if (conflict) run.left.set(operation.path, conflict)
    run.advance()
  }
}

export function targetOf({ root }: Run, operation: Operation): Buffer {
  return under(root, bytesOf(operation.path))
}

/** Whether a file is the one that was looked at, with nothing written to it since. */
export function isSame(now: Target, seen: Target): boolean {
  return now.kind === 'entry' && seen.kind === 'entry' && now.stamp === seen.stamp
}

/** Takes away whatever is there and looks at it then, so that nothing is lost in between. False: it was put back. */
export function takeAway(
  run: Run,
  operation: Operation,
  { place, seen }: { readonly place: Buffer; readonly seen: Target },
): boolean {
  const target = targetOf(run, operation)
  renameSync(target, place)
  run.tell('swap')
  if (isSame(readTargetNow(place), seen)) return true
  putAt(place, target)
  return false
}

export function changedNow({ path }: Operation): ApplyConflict {
  return conflictAt(bytesOf(path), 'foreign', 'it changed while the plan was being applied')
}

/** Makes the missing folders above a path. Where something else stands in the place of one, this throws. */
export function makeFoldersAbove(run: Run, operation: Operation): void {
  for (const parent of parentsOf(bytesOf(operation.path))) {
    const folder = under(run.root, parent)
    if (lstatIfThere(folder)?.isDirectory()) continue
    mkdirSync(folder)
    const before = run.journal.emptiedFolders.find(each => bytesOf(each.path).equals(parent))
    if (before) chmodSync(folder, before.permissions)
    run.tell('make_folder')
  }
}

/**
 * Removes those of the folders above a path that may go and that nothing is left in, innermost first. The inner ones
 * can be gone already, when a process died between two of them, and a link can be in the place of an outer one.
 */
export function removeEmptyFoldersAbove(
  run: Run,
  operation: Operation,
  mayGo: (folder: Buffer) => boolean = () => true,
): void {
  for (const parent of presentParents(run.root, bytesOf(operation.path)).reverse()) {
    if (!mayGo(parent) || !removeIfEmpty(under(run.root, parent))) return
    run.tell('remove_folder')
  }
}

function removeIfEmpty(folder: Buffer): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
