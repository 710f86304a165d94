import { accessSync, constants, lchownSync, lstatSync } from 'node:fs'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { type RelPath, relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyConflict, OnApplyStep } from '../../../domain/sandbox/strategy.ts'
import { errorCode } from '../../error-code.ts'
import type { PrivateStore } from '../store/private-store.ts'
import type { TreeChange } from '../store/tree-diff.ts'
import { checkTarget } from '../writes/check-target.ts'
import { inWriteOrder } from '../writes/order.ts'
import { parentsOf, under } from '../writes/parents.ts'
import { diskFull, writeFailure } from '../writes/prepare.ts'
import { type Staging, stageContents } from '../writes/stage.ts'
import type { Target } from '../writes/target.ts'
import { flushAll } from './durable.ts'
import { type ApplyJournal, bytesOf, type Operation, writeJournal } from './journal.ts'
import { makePlaces, type Places, placeChooser, placesOf, sweepPlaces } from './places.ts'
import { findRespelled } from './respelled.ts'

export interface Intent extends Pick<ApplyJournal, 'root' | 'from' | 'to' | 'trees'> {
  readonly changes: readonly TreeChange[]
  /** Old path to new path, of files that get another name. */
  readonly moves: ReadonlyMap<RelPath, RelPath>
}

export type Begun =
  | { readonly outcome: 'begun'; readonly journal: ApplyJournal }
  | { readonly outcome: 'conflicts'; readonly conflicts: readonly ApplyConflict[] }

/**
 * Checks and stages everything and writes the journal. Until that is on the disk nothing of the user is touched, and
 * whatever goes wrong leaves nothing behind.
 */
export async function beginApply(
  store: PrivateStore,
  intent: Intent,
  onStep: OnApplyStep,
  signal: AbortSignal,
): Promise<Result<Begun>> {
  try {
    const checked = await checkAll(intent)
    const conflicts = [
      ...checked.flatMap(each => each.conflict ?? []),
      ...findRespelled(intent.root, intent.changes),
    ]
    if (conflicts.length > 0) return ok({ outcome: 'conflicts', conflicts })
    const blocked = findBlocked(intent)
    if (blocked) return blocked
    const journal = describe(store, intent, checked)
    const staged = await stage(store, journal, { checked, onStep, signal })
    if (staged.ok && !signal.aborted) {
      await writeJournal(store.folder, journal)
      onStep({ did: 'write_journal', done: 0, total: journal.operations.length })
      return ok({ outcome: 'begun', journal })
    }
    await sweepPlaces(store.folder)
    if (staged.ok) return refuse('interrupted', 'Apply was stopped. Nothing was written.')
    return staged.failure.code === 'disk_full' ? diskFull(intent.root) : staged
  } catch (error) {
    await sweepPlaces(store.folder)
    return writeFailure(error, intent.root)
  }
}

interface CheckedChange {
  readonly change: TreeChange
  readonly target: Target
  readonly conflict: ApplyConflict | null
}

async function checkAll({ root, changes }: Intent): Promise<CheckedChange[]> {
  const removed = new Set(
    changes.filter(change => change.new === null).map(({ path }) => path.toString('latin1')),
  )
  const checked: CheckedChange[] = []
  for (const change of inWriteOrder(changes))
    checked.push({
      change,
      ...(await checkTarget(Buffer.from(root), change, removed)),
    })
  return checked
}

/** A folder that cannot be written is found now rather than half-way. */
function findBlocked({ root, changes }: Intent) {
  const folders = new Set(
    changes.map(({ path }) => nearestFolder(Buffer.from(root), path).toString('latin1')),
  )
  for (const name of folders) {
    const folder = Buffer.from(name, 'latin1')
    try {
      accessSync(folder, constants.W_OK | constants.X_OK)
    } catch (error) {
      const why =
        errorCode(error) === 'EROFS'
          ? 'it is on a file system that can only be read'
          : 'you may not write in it'
      return refuse(
        'sandbox_failed',
        `Nothing was written. The folder ${folder} cannot be changed: ${why}.`,
        {
          folder: folder.toString(),
        },
      )
    }
  }
  return null
}

function nearestFolder(root: Buffer, path: Buffer): Buffer {
  let nearest = root
  for (const parent of parentsOf(path)) {
    const folder = under(root, parent)
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) break
    nearest = folder
  }
  return nearest
}

function describe(store: PrivateStore, intent: Intent, checked: readonly CheckedChange[]): ApplyJournal {
  const { root, from, to, trees, moves } = intent
  const waitsIn = placeChooser(store.folder, root)
  const numbers = new Map(checked.map(({ change }, number) => [pathOf(change.path), number]))
  const operations = checked.map(({ change, target }): Operation => {
    const path = pathOf(change.path)
    const newPath = moves.get(path)
    return {
      path,
      old: change.old && target.kind === 'entry' ? { ...change.old, stamp: target.stamp } : null,
      new: change.new,
      waitsIn: waitsIn(change.path),
      movedTo: change.new === null && newPath !== undefined ? (numbers.get(newPath) ?? null) : null,
    }
  })
  return {
    version: 1,
    startedAt: new Date().toISOString(),
    root,
    from,
    to,
    trees,
    operations,
    madeFolders: missingFolders(root, intent.changes),
    emptiedFolders: foldersOfRemoved(root, intent.changes),
    notices: noticesOf(root, operations),
  }
}

function missingFolders(root: string, changes: readonly TreeChange[]): RelPath[] {
  const written = changes.filter(change => change.new !== null)
  const parents = uniqueParents(written).filter(parent => !folderAt(root, parent))
  return parents.map(pathOf)
}

function foldersOfRemoved(root: string, changes: readonly TreeChange[]) {
  const removed = changes.filter(change => change.new === null)
  return uniqueParents(removed).flatMap(parent => {
    const folder = folderAt(root, parent)
    return folder ? [{ path: pathOf(parent), permissions: folder.mode & 0o7777 }] : []
  })
}

/** Outermost first. */
function uniqueParents(changes: readonly TreeChange[]): Buffer[] {
  const names = new Set(
    changes.flatMap(({ path }) => parentsOf(path).map(parent => parent.toString('latin1'))),
  )
  return [...names].sort((a, b) => a.length - b.length).map(name => Buffer.from(name, 'latin1'))
}

function folderAt(root: string, path: Buffer) {
  const entry = lstatSync(under(Buffer.from(root), path), { throwIfNoEntry: false })
  return entry?.isDirectory() ? entry : null
}

function noticesOf(root: string, operations: readonly Operation[]): string[] {
  const named = operations.filter(({ path, old, new: entry }) => {
    if (old === null || entry === null) return false
    return (lstatSync(under(Buffer.from(root), bytesOf(path)), { throwIfNoEntry: false })?.nlink ?? 1) > 1
  })
  return named.map(
    ({ path }) => `${path} has other names on the disk (hard links). They keep the old content.`,
  )
}

interface StagingInput {
  readonly checked: readonly CheckedChange[]
  readonly onStep: OnApplyStep
  readonly signal: AbortSignal
}

async function stage(
  store: PrivateStore,
  journal: ApplyJournal,
  { checked, onStep, signal }: StagingInput,
): Promise<Result<void>> {
  const { operations, root } = journal
  const places = placesOf(store.folder, journal)
  const hidden = [...new Set(operations.flatMap(({ waitsIn }) => waitsIn ?? []))]
  await makePlaces(store.folder, root, hidden)
  const likes = new Map<number, Target>()
  for (const [number, { target }] of checked.entries())
    likes.set(operations[number]?.movedTo ?? number, target)
  const wanted = operations.flatMap((operation, number): Staging[] => {
    const like = likes.get(number) ?? { kind: 'absent' }
    return operation.new ? [{ entry: operation.new, place: places.staged(operation), like }] : []
  })
  const tell = () => onStep({ did: 'stage', done: 0, total: operations.length })
  const staged = await stageContents(store, wanted, { signal, onStaged: tell })
  if (!staged.ok) return staged
  keepOwners(root, operations, places)
  const files = wanted.filter(({ entry }) => entry.mode !== '120000').map(({ place }) => place)
  const holders = hidden.map(path => under(Buffer.from(root), bytesOf(path)))
  await flushAll([...files, ...holders, Buffer.from(store.folder.apply)])
  return ok()
}

/** A file keeps its owner and group as far as the system allows; a new one gets what its folder asks for. */
function keepOwners(root: string, operations: readonly Operation[], places: Places): void {
  const isRoot = process.getuid?.() === 0
  for (const operation of operations) {
    if (operation.new === null) continue
    const place = places.staged(operation)
    const now = lstatSync(place)
    const path = under(Buffer.from(root), bytesOf(operation.path))
    const before = operation.old ? lstatSync(path, { throwIfNoEntry: false }) : undefined
    const folder = lstatSync(nearestFolder(Buffer.from(root), bytesOf(operation.path)))
    const owner = isRoot ? (before?.uid ?? folder.uid) : now.uid
    const inherits = isRoot || (folder.mode & SET_GROUP) !== 0
    const group = before?.gid ?? (inherits ? folder.gid : now.gid)
    if (owner === now.uid && group === now.gid) continue
    try {
      lchownSync(place, owner, group)
    } catch (error) {
      if (errorCode(error) !== 'EPERM') throw error
    }
  }
}

const SET_GROUP = 0o2000

function pathOf(bytes: Buffer): RelPath {
  const path = relPathFromBytes(bytes)
  if (!path.ok) throw new Error(path.failure.message)
  return path.value
}
