import { lstatSync } from 'node:fs'
import { type RelPath, relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import type { TreeChange } from '../store/tree-diff.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { parentsOf, presentParents, under } from '../writes/parents.ts'
import type { Target } from '../writes/target.ts'
import { type ApplyJournal, bytesOf, type Operation } from './journal.ts'
import { placeChooser } from './places.ts'

export interface Intent extends Pick<ApplyJournal, 'root' | 'from' | 'to' | 'trees'> {
  readonly changes: readonly TreeChange[]
  /** Old path to new path, of files that get another name. */
  readonly moves: ReadonlyMap<RelPath, RelPath>
}

export interface CheckedChange {
  readonly change: TreeChange
  readonly target: Target
  readonly conflict: ApplyConflict | null
}

/** The journal of what was asked and found. */
export function describeApply(
  folder: PlanFolder,
  intent: Intent,
  checked: readonly CheckedChange[],
): ApplyJournal {
  const { root, from, to, trees, moves } = intent
  const waitsIn = placeChooser(folder, root)
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
  const missing = written.flatMap(({ path }) =>
    parentsOf(path).slice(presentParents(Buffer.from(root), path).length),
  )
  return outermostFirst(missing).map(pathOf)
}

function foldersOfRemoved(root: string, changes: readonly TreeChange[]) {
  const removed = changes.filter(change => change.new === null)
  const present = removed.flatMap(({ path }) => presentParents(Buffer.from(root), path))
  return outermostFirst(present).map(folder => {
    const { mode } = lstatSync(under(Buffer.from(root), folder))
    return { path: pathOf(folder), permissions: mode & 0o7777 }
  })
}

/** Each once. */
function outermostFirst(folders: readonly Buffer[]): Buffer[] {
  const names = new Set(folders.map(folder => folder.toString('latin1')))
  return [...names].sort((a, b) => a.length - b.length).map(name => Buffer.from(name, 'latin1'))
}

function noticesOf(root: string, operations: readonly Operation[]): string[] {
  const named = operations.filter(({ path, old, new: entry }) => {
    if (old === null || entry === null) return false
    return (lstatIfThere(under(Buffer.from(root), bytesOf(path)))?.nlink ?? 1) > 1
  })
  return named.map(
    ({ path }) => `${path} has other names on the disk (hard links). They keep the old content.`,
  )
}

function pathOf(bytes: Buffer): RelPath {
  const path = relPathFromBytes(bytes)
  if (!path.ok) throw new Error(path.failure.message)
  return path.value
}
