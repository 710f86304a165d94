import { type BigIntStats, readdirSync } from 'node:fs'
import { ok, type Result } from '../../../domain/failure.ts'
import { foldersOfTree, type KnownFolders } from '../store/folders-of-tree.ts'
import type { LayerFolder } from '../store/layer-tree.ts'
import type { PrivateStore } from '../store/private-store.ts'
import { FOLDER_MODE, type FolderEntry, type TreeFolder } from '../store/tree-object.ts'
import { exactLstatIfThere, ifThere, lstatIfThere } from '../writes/lstat-if-there.ts'
import { under } from '../writes/parents.ts'
import { isStagingName } from '../writes/staging-names.ts'
import type { IgnoreRules } from './ignore-rules.ts'

/** What an upper layer holds that belongs to the plan, and what of it does not. Paths and names are bytes as latin1. */
export interface UpperFound {
  /** Files have no contents yet: they are what has to be read. */
  readonly root: MutableFolder
  readonly files: ReadonlyMap<string, BigIntStats>
  /** Folders that are also in the tree below; each may hide what is there. */
  readonly overTree: ReadonlyMap<string, MutableFolder>
  readonly nested: readonly Buffer[]
  readonly ignored: readonly Buffer[]
}

export interface MutableFolder extends LayerFolder {
  isOpaque: boolean
  readonly removed: Set<string>
  readonly files: Map<string, FolderEntry>
  readonly folders: Map<string, MutableFolder>
}

export interface UpperSource {
  readonly store: PrivateStore
  readonly upper: Buffer
  readonly projectRoot: Buffer
  /** The tree that the layer lies over, and the one last recorded: what is in either is never ignored. */
  readonly base: { readonly tree: string; readonly known: KnownFolders }
  readonly recorded: { readonly tree: string; readonly known: KnownFolders }
  readonly rules: IgnoreRules
}

/** Walks the layer, and nothing else: the cost is that of what the plan changed, however large the project is. */
export async function readUpper(source: UpperSource, signal: AbortSignal): Promise<Result<UpperFound>> {
  const root = emptyFolder()
  const found = {
    root,
    files: new Map<string, BigIntStats>(),
    overTree: new Map<string, MutableFolder>(),
    nested: [] as Buffer[],
    ignored: [] as Buffer[],
  }
  let level: Open[] = [{ path: '', folder: root }]
  while (level.length > 0) {
    signal.throwIfAborted()
    const trees = await treesAt(source, level)
    if (!trees.ok) return trees
    const [next, candidates] = readLevel(source, level, trees.value, found)
    const wanted = await withoutIgnored(source, candidates, found.ignored, signal)
    if (!wanted.ok) return wanted
    for (const candidate of wanted.value) next.push(...adopt(candidate, found.files))
    level = next
  }
  return ok(found)
}

interface Open {
  readonly path: string
  readonly folder: MutableFolder
}

/** In no tree yet: it belongs to the plan unless it is ignored. */
interface Candidate {
  readonly path: string
  readonly name: string
  readonly above: MutableFolder
  readonly stat: BigIntStats
}

type Trees = Record<'base' | 'recorded', ReadonlyMap<string, TreeFolder>>

async function treesAt({ store, base, recorded }: UpperSource, level: readonly Open[]) {
  const paths = new Set(level.map(open => open.path))
  const below = await foldersOfTree(store, base.known, base.tree, paths)
  if (!below.ok) return below
  const last = await foldersOfTree(store, recorded.known, recorded.tree, paths)
  return last.ok ? ok<Trees>({ base: below.value, recorded: last.value }) : last
}

type Found = UpperFound & {
  readonly files: Map<string, BigIntStats>
  readonly overTree: Map<string, MutableFolder>
  readonly nested: Buffer[]
}

function readLevel(
  source: UpperSource,
  level: readonly Open[],
  trees: Trees,
  found: Found,
): [next: Open[], candidates: Candidate[]] {
  const next: Open[] = []
  const candidates: Candidate[] = []
  for (const { path: above, folder } of level) {
    for (const { name, path, stat } of entriesOf(source.upper, above)) {
      const below = trees.base.get(above)?.get(name)
      const last = trees.recorded.get(above)?.get(name)
      if (isWhiteout(stat)) folder.removed.add(name)
      else if (stat.isDirectory()) {
        if (isGitlink(below) || isGitlink(last)) found.nested.push(bytes(path))
        else if (isFolder(below) || isFolder(last)) {
          next.push(open(folder, name, path))
          const opened = folder.folders.get(name)
          if (opened && isFolder(below)) found.overTree.set(path, opened)
        } else if (isRepository(source, path)) found.nested.push(bytes(path))
        else candidates.push({ path, name, above: folder, stat })
      } else if (!stat.isFile() && !stat.isSymbolicLink()) continue
      else if (below || last) {
        folder.files.set(name, UNREAD)
        found.files.set(path, stat)
      } else candidates.push({ path, name, above: folder, stat })
    }
  }
  return [next, candidates]
}

/** Its place in the tree is taken before its content is known. */
const UNREAD: FolderEntry = { mode: '100644', object: '' }

function* entriesOf(upper: Buffer, folder: string) {
  for (const raw of namesIn(upper, folder)) {
    const name = raw.toString('latin1')
    // What is being put in place by us; and git refuses to hold a repository's own folder under any of its names.
    if (isStagingName(raw) || /^(\.git|git~1)$/i.test(name)) continue
    const path = folder === '' ? name : `${folder}/${name}`
    const stat = exactLstatIfThere(under(upper, bytes(path)))
    if (stat) yield { name, path, stat }
  }
}

/** None in a folder that went a moment ago. A layer that went as a whole is another matter. */
function namesIn(upper: Buffer, folder: string): Buffer[] {
  if (folder === '') return readdirSync(upper, { encoding: 'buffer' })
  return ifThere(() => readdirSync(under(upper, bytes(folder)), { encoding: 'buffer' })) ?? []
}

/** How the kernel marks what is gone from the layer below: a device that is none. */
export function isWhiteout(stat: BigIntStats): boolean {
  return stat.isCharacterDevice() && stat.rdev === 0n
}

function isFolder(entry: FolderEntry | undefined): boolean {
  return entry?.mode === FOLDER_MODE
}

function isGitlink(entry: FolderEntry | undefined): boolean {
  return entry?.mode === '160000'
}

function isRepository({ upper, projectRoot }: UpperSource, path: string): boolean {
  const entry = Buffer.from('.git')
  const here = exactLstatIfThere(under(under(upper, bytes(path)), entry))
  if (here) return !isWhiteout(here)
  return lstatIfThere(under(under(projectRoot, bytes(path)), entry)) !== undefined
}

async function withoutIgnored(
  { rules }: UpperSource,
  candidates: readonly Candidate[],
  ignored: Buffer[],
  signal: AbortSignal,
): Promise<Result<readonly Candidate[]>> {
  if (candidates.length === 0) return ok(candidates)
  const asked = await rules.ignoredAmong(
    candidates.map(({ path }) => bytes(path)),
    signal,
  )
  if (!asked.ok) return asked
  ignored.push(...[...asked.value].map(bytes))
  return ok(candidates.filter(({ path }) => !asked.value.has(path)))
}

function adopt({ path, name, above, stat }: Candidate, files: Map<string, BigIntStats>): Open[] {
  if (stat.isDirectory()) return [open(above, name, path)]
  above.files.set(name, UNREAD)
  files.set(path, stat)
  return []
}

function open(above: MutableFolder, name: string, path: string): Open {
  const folder = emptyFolder()
  above.folders.set(name, folder)
  return { path, folder }
}

function emptyFolder(): MutableFolder {
  return { isOpaque: false, removed: new Set(), files: new Map(), folders: new Map() }
}

function bytes(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}
