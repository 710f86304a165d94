import { existsSync } from 'node:fs'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { bytesText, type RelPath, relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import type { SandboxEntry, SandboxState } from '../../../domain/sandbox/strategy.ts'
import type { PresentFolder } from '../present-folder.ts'
import type { KnownFolders } from '../store/folders-of-tree.ts'
import { treeWithLayer } from '../store/layer-tree.ts'
import type { PrivateStore } from '../store/private-store.ts'
import { treeWith, withoutPaths } from '../store/select-paths.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { latestState, treeOf } from '../store/states.ts'
import { diffTrees, type TreeChange } from '../store/tree-diff.ts'
import type { FolderEntry } from '../store/tree-object.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { under } from '../writes/parents.ts'
import { entryAt } from '../writes/target.ts'
import { ignoreRules } from './ignore-rules.ts'
import { type LayerContents, layerContents, type ReadContents } from './layer-contents.ts'
import { makePlaces } from './make-places.ts'
import { isEntered, type Mounts } from './mounts.ts'
import { type OpaqueFolders, opaqueFolders } from './opaque-folders.ts'
import type { OverlayPlaces } from './places.ts'
import { type MutableFolder, readUpper, type UpperFound, type UpperSource } from './read-upper.ts'
import { unmarkedRemovals } from './unmarked-removals.ts'

export interface LayeredInput {
  readonly store: PrivateStore
  readonly places: OverlayPlaces
  readonly projectRoot: string
  /** What the user's folder is taken for, whatever it is by then. */
  readonly lower: SandboxState
  readonly mounts: Mounts
  readonly way: () => Promise<Result<'as_root' | 'in_user_namespace'>>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * A folder that lies over the user's own. Its tree is always the lower one with the upper layer on top, never what can be
 * seen in it: what the user changes in theirs shows through, and must not become the plan's.
 */
export function layeredFolder(input: LayeredInput): PresentFolder {
  const { store, places, projectRoot, mounts } = input
  const root = Buffer.from(places.root)
  let readers: Readers | null = null
  let recorded: string | null = null
  let entry: SandboxEntry | null = null

  const removals = unmarkedRemovals(store, places)

  const tree = async (signal: AbortSignal, removed: readonly string[] = []): Promise<Result<LayerTree>> => {
    // One that somebody deleted would look like the work of a plan that took everything back.
    if (!existsSync(places.upper)) return refuseMissing(places)
    const base = await treeOf(store, input.lower)
    if (!base.ok) return base
    const last = recorded === null ? await latestTree(store) : ok(recorded)
    if (!last.ok) return last
    readers ??= makeReaders(input, base.value)
    const read = await readTree(store, readers, last.value, signal)
    if (!read.ok) return read
    const left = await removals.leaveOut({ ...read.value, before: last.value, removed })
    return left.ok ? ok({ ...read.value, tree: left.value }) : left
  }
  const remember = async (
    written: readonly RelPath[] | 'unknown',
    before: string,
    signal: AbortSignal,
  ): Promise<Result<Snapshot>> => {
    const found = await tree(signal)
    if (!found.ok) return found
    const named = written === 'unknown' ? null : { before, written }
    const taken = named ? await onlyWritten(store, found.value.tree, named) : ok(found.value.tree)
    if (!taken.ok) return taken
    recorded = taken.value
    return ok({ ...found.value, tree: taken.value })
  }
  return {
    root: places.root,
    enter,
    take: remember,
    async look(signal) {
      // The states are in the store, so the upper layer can be made anew from any of them.
      if (!existsSync(places.upper)) {
        await removals.forget()
        await makePlaces(places, projectRoot)
      }
      const entered = await enter()
      return entered.ok ? tree(signal) : entered
    },
    asFound: async changes => Promise.all(changes.map(change => asFound(places, root, change))),
    async lookAgain(changes, signal, unrecorded = []) {
      const removed = changes.filter(change => change.new === null)
      const now = await tree(
        signal,
        removed.map(({ path }) => path.toString('latin1')),
      )
      if (!now.ok || unrecorded.length === 0) return now
      const dropped = unrecorded.map(change => ({ ...change, new: null }))
      const left = await treeWith(store, now.value.tree, dropped)
      return left.ok ? ok({ ...now.value, tree: left.value }) : left
    },
    async settle(wanted) {
      recorded = wanted
      return ok()
    },
    async differences(wanted, except, signal) {
      const now = await tree(signal)
      if (!now.ok) return now
      const changes = await diffTrees(store, wanted, now.value.tree)
      return changes.ok
        ? ok(changes.value.filter(({ path }) => !except.has(path.toString('latin1'))))
        : changes
    },
    async ignored(signal) {
      const now = await tree(signal)
      if (!now.ok) return now
      const upper = Buffer.from(places.upper)
      return ok(now.value.ignored.map(path => ({ path, place: under(upper, path) })))
    },
    projectChanged,
    leave,
  }

  /** The kernel promises nothing of a mount whose lower layer changed beneath it: what is removed may stay. */
  async function projectChanged(): Promise<void> {
    if (entry === null) return
    await leave()
    // Where it cannot be had again, whoever needs it next is told why.
    await enter()
  }

  async function enter(): Promise<Result<SandboxEntry>> {
    if (!existsSync(places.upper)) return refuseMissing(places)
    if (entry !== null && isEntered(places)) return ok(entry)
    await leave()
    const way = await input.way()
    if (!way.ok) return way
    const entered = await mounts.enter(places, projectRoot, way.value)
    if (entered.ok) entry = entered.value
    return entered
  }

  async function leave(): Promise<void> {
    if (entry !== null) await mounts.leave(places)
    entry = null
  }
}

/** What else has changed is not the plan's until somebody says so. */
async function onlyWritten(
  store: PrivateStore,
  tree: string,
  { before, written }: { before: string; written: readonly RelPath[] },
): Promise<Result<string>> {
  if (tree === before) return ok(tree)
  const changes = await diffTrees(store, before, tree)
  if (!changes.ok) return changes
  const names = written.map(bytesText)
  const isNamed = (path: string) => names.some(name => path === name || path.startsWith(`${name}/`))
  const others = changes.value.filter(({ path }) => !isNamed(path.toString('latin1')))
  const except = others.flatMap(({ path }) => {
    const parsed = relPathFromBytes(path)
    return parsed.ok ? [parsed.value] : []
  })
  return withoutPaths(store, { from: before, to: tree, except })
}

interface Readers {
  readonly source: Omit<UpperSource, 'recorded'>
  readonly known: KnownFolders
  readonly opaque: OpaqueFolders
  readonly contents: ReadContents
}

function makeReaders({ store, places, projectRoot, environment }: LayeredInput, base: string): Readers {
  return {
    source: {
      store,
      upper: Buffer.from(places.upper),
      projectRoot: Buffer.from(projectRoot),
      base: { tree: base, known: new Map() },
      rules: ignoreRules(store, places.upper, base),
    },
    known: new Map(),
    opaque: opaqueFolders(places, environment),
    contents: layerContents(store, places.upper, base.length),
  }
}

async function latestTree(store: PrivateStore): Promise<Result<string>> {
  const state = await latestState(store)
  return state.ok ? treeOf(store, state.value) : state
}

interface LayerTree extends Snapshot {
  readonly ignored: readonly Buffer[]
  /** Every file of the plan in the upper layer; bytes as latin1. */
  readonly files: ReadonlySet<string>
}

/** A layer in which somebody works is never still: what is read is one that a look and the next agree on. */
async function readTree(
  store: PrivateStore,
  readers: Readers,
  recorded: string,
  signal: AbortSignal,
): Promise<Result<LayerTree>> {
  for (let looks = 1; ; looks++) {
    const layer = await readLayer(readers, recorded, signal)
    if (layer.ok && (layer.value.isWhole || looks === MOST_LOOKS))
      return treeOfLayer(store, readers, layer.value)
    if (!layer.ok && (layer.failure.code !== 'sandbox_failed' || looks === MOST_LOOKS)) return layer
  }
}

const MOST_LOOKS = 10

interface Layer {
  readonly found: UpperFound
  readonly contents: LayerContents
  /** Everything that was found could be read, or is known to be unreadable. */
  readonly isWhole: boolean
}

async function readLayer(
  { source, known, opaque, contents }: Readers,
  recorded: string,
  signal: AbortSignal,
): Promise<Result<Layer>> {
  // After a restore it is the base itself, whose folders are known.
  const last = recorded === source.base.tree ? source.base : { tree: recorded, known }
  const found = await readUpper({ ...source, recorded: last }, signal)
  if (!found.ok) return found
  const hiding = await opaque([...found.value.overTree.keys()])
  if (!hiding.ok) return hiding
  for (const [path, folder] of found.value.overTree) folder.isOpaque = hiding.value.has(path)
  const read = await contents(found.value.files, signal)
  if (!read.ok) return read
  const { entries, unreadable } = read.value
  const isWhole = entries.size + unreadable.length === found.value.files.size
  return ok({ found: found.value, contents: read.value, isWhole })
}

async function treeOfLayer(
  store: PrivateStore,
  { source }: Readers,
  { found, contents }: Layer,
): Promise<Result<LayerTree>> {
  fill(found, contents.entries)
  const tree = await treeWithLayer(store, source.base.known, source.base.tree, found.root)
  if (!tree.ok) return tree
  const { nested, ignored } = found
  const files = new Set(found.files.keys())
  return ok({ tree: tree.value, nested, unreadable: contents.unreadable, ignored, files })
}

function fill({ root, files }: UpperFound, entries: ReadonlyMap<string, FolderEntry>): void {
  for (const path of files.keys()) {
    const [parents, name] = splitName(path)
    let folder: MutableFolder | undefined = root
    for (const part of parents === '' ? [] : parents.split('/')) folder = folder?.folders.get(part)
    const entry = entries.get(path)
    if (entry) folder?.files.set(name, entry)
    else folder?.files.delete(name)
  }
}

function splitName(path: string): [above: string, name: string] {
  const slash = path.lastIndexOf('/')
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)]
}

/** Where the plan changed nothing, the user's file shows through, and it need not be what the baseline has. */
async function asFound(places: OverlayPlaces, root: Buffer, change: TreeChange): Promise<TreeChange> {
  const own = under(Buffer.from(places.upper), change.path)
  if (lstatIfThere(own)) return change
  const nameLength = (change.old ?? change.new)?.object.length ?? 40
  return { ...change, old: await entryAt(under(root, change.path), nameLength) }
}

function refuseMissing({ upper }: OverlayPlaces) {
  return refuse(
    'sandbox_failed',
    `The folder ${upper}, which has what the plan changed, is missing. What was recorded is kept: roll the plan back to a checkpoint to make the folder anew from it, or cancel the plan.`,
    { missing: upper },
  )
}
