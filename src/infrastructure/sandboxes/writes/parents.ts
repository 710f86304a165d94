import { lstat, mkdir, rmdir } from 'node:fs/promises'
import { lstatIfThere } from './lstat-if-there.ts'

export type ParentProblem = 'link' | 'file' | 'nested_repository'

/** The folders above a relative path, outermost first. */
export function parentsOf(path: Buffer): Buffer[] {
  const parents: Buffer[] = []
  for (let at = path.indexOf(SLASH); at >= 0; at = path.indexOf(SLASH, at + 1))
    parents.push(path.subarray(0, at))
  return parents
}

/**
 * Why a path must not be written: every folder above it has to be a real folder of this very project. A link leads
 * outside, and a nested repository is somebody else's. `removed` names what will be gone before the path is written.
 */
export async function findParentProblem(
  root: Buffer,
  path: Buffer,
  removed: ReadonlySet<string>,
): Promise<ParentProblem | null> {
  for (const parent of parentsOf(path)) {
    if (removed.has(parent.toString('latin1'))) return null
    const entry = await lstat(under(root, parent)).catch(() => null)
    if (entry === null) return null
    if (entry.isSymbolicLink()) return 'link'
    if (!entry.isDirectory()) return 'file'
    if (await lstat(under(root, Buffer.concat([parent, GIT]))).catch(() => null)) return 'nested_repository'
  }
  return null
}

/** The outermost thing that keeps a file from being created: no folder where one is needed, or anything in its place. */
export async function findObstacle(root: Buffer, path: Buffer): Promise<Buffer | null> {
  for (const parent of parentsOf(path)) {
    const entry = await lstat(under(root, parent)).catch(() => null)
    if (entry === null) return null
    if (!entry.isDirectory()) return parent
  }
  return (await lstat(under(root, path)).catch(() => null)) === null ? null : path
}

/** Makes the folders above a path and returns those that were missing. Fails where one is not a real folder. */
export async function makeParents(root: Buffer, path: Buffer): Promise<Buffer[]> {
  const made: Buffer[] = []
  for (const parent of parentsOf(path)) {
    const folder = under(root, parent)
    const entry = await lstat(folder).catch(() => null)
    if (entry?.isDirectory()) continue
    await mkdir(folder)
    made.push(parent)
  }
  return made
}

export interface RemovedFolder {
  readonly path: Buffer
  readonly mode: number
}

/** Removes the folders above a path as long as they are empty; innermost first. */
export async function pruneParents(root: Buffer, path: Buffer): Promise<RemovedFolder[]> {
  const removed: RemovedFolder[] = []
  for (const parent of parentsOf(path).reverse()) {
    const folder = under(root, parent)
    try {
      const { mode } = await lstat(folder)
      await rmdir(folder)
      removed.push({ path: parent, mode: mode & 0o777 })
    } catch {
      return removed
    }
  }
  return removed
}

/** The innermost folder above a path that is there. */
export function nearestFolder(root: Buffer, path: Buffer): Buffer {
  const nearest = presentParents(root, path).at(-1)
  return nearest ? under(root, nearest) : root
}

/**
 * The folders above a path that are there, outermost first. It ends at whatever is no folder: what a name below a link
 * leads to is somewhere else, and not ours to look at or change.
 */
export function presentParents(root: Buffer, path: Buffer): Buffer[] {
  const parents = parentsOf(path)
  const end = parents.findIndex(parent => !lstatIfThere(under(root, parent))?.isDirectory())
  return end < 0 ? parents : parents.slice(0, end)
}

export function under(root: Buffer, path: Buffer): Buffer {
  return Buffer.concat([root, Buffer.from('/'), path])
}

const SLASH = 0x2f
const GIT = Buffer.from('/.git')
