import { readdirSync } from 'node:fs'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import { foreign, parentConflict } from '../writes/conflict.ts'
import { foldedName } from '../writes/folded-name.ts'
import { findParentProblem, parentsOf, presentParents, under } from '../writes/parents.ts'
import { holdsEntry, readTarget, type Target } from '../writes/target.ts'
import { type ApplyJournal, bytesOf, type Operation } from './journal.ts'

/** How a path stands to the operation on it: still as before, as wanted, or as somebody else made it meanwhile. */
export type Standing =
  | { readonly is: 'old' | 'new'; readonly target: Target }
  | { readonly is: 'foreign'; readonly conflict: ApplyConflict }

/** Compares what is on the disk with what the journal says, path by path. */
export function observer({ root, operations }: Pick<ApplyJournal, 'root' | 'operations'>) {
  const rootFolder = Buffer.from(root)
  const own = new Set(operations.map(operation => latin1(bytesOf(operation.path))))
  const foldersOf = (some: readonly Operation[]) =>
    new Set(some.flatMap(({ path }) => parentsOf(bytesOf(path)).map(latin1)))
  const emptied = foldersOf(operations.filter(operation => operation.new === null))
  const filled = foldersOf(operations.filter(operation => operation.new !== null))
  const respelled = respelledPaths(operations)

  async function look(path: Buffer): Promise<Target | ApplyConflict> {
    const problem = await findParentProblem(rootFolder, path, own)
    if (problem) return parentConflict(path, problem)
    // What is above may be a file or link of the plan itself: below it there is nothing.
    if (presentParents(rootFolder, path).length < parentsOf(path).length) return { kind: 'absent' }
    const target = await readTarget(under(rootFolder, path))
    const isOtherName =
      target.kind !== 'absent' && respelled.has(latin1(path)) && !isSpelledSo(rootFolder, path)
    return isOtherName ? { kind: 'absent' } : target
  }

  return async (operation: Operation): Promise<Standing> => {
    const path = bytesOf(operation.path)
    const target = await look(path)
    if ('reason' in target) return { is: 'foreign', conflict: target }
    if (await isLike(rootFolder, path, target, operation.old)) return { is: 'old', target }
    if (await isLike(rootFolder, path, target, operation.new)) return { is: 'new', target }
    // A folder whose files all go first makes room for a file, and a file that goes for a folder.
    if (operation.old === null && target.kind === 'folder' && emptied.has(latin1(path)))
      return { is: 'old', target: { kind: 'absent' } }
    if (operation.new === null && target.kind === 'folder' && filled.has(latin1(path)))
      return { is: 'new', target: { kind: 'absent' } }
    const conflict = foreign(path, target, operation.old === null ? 'nothing' : 'a file')
    return { is: 'foreign', conflict }
  }
}

async function isLike(
  root: Buffer,
  path: Buffer,
  target: Target,
  entry: Operation['old'] | Operation['new'],
): Promise<boolean> {
  if (entry === null) return target.kind === 'absent'
  if (target.kind === 'entry' && 'stamp' in entry && target.stamp === entry.stamp) return true
  return holdsEntry(under(root, path), target, entry)
}

/** Paths that differ from another one of the journal in nothing but capitals. */
function respelledPaths(operations: readonly Operation[]): ReadonlySet<string> {
  const byName = new Map<string, Buffer[]>()
  for (const { path } of operations) {
    const bytes = bytesOf(path)
    const name = foldedName(bytes)
    byName.set(name, [...(byName.get(name) ?? []), bytes])
  }
  return new Set([...byName.values()].filter(paths => paths.length > 1).flatMap(paths => paths.map(latin1)))
}

/** Where capitals do not count, a path also answers to its other spelling; only the lists of the folders are exact. */
function isSpelledSo(root: Buffer, path: Buffer): boolean {
  let folder = root
  for (const place of [...parentsOf(path), path]) {
    const name = place.subarray(place.lastIndexOf(SLASH) + 1)
    if (!readdirSync(folder, { encoding: 'buffer' }).some(each => each.equals(name))) return false
    folder = under(root, place)
  }
  return true
}

function latin1(path: Buffer): string {
  return path.toString('latin1')
}

const SLASH = 0x2f
