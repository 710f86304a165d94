import { ok, type Result } from '../../../domain/failure.ts'
import { writeObject } from './loose-objects.ts'
import type { PrivateStore } from './private-store.ts'
import { readFolders } from './read-folders.ts'
import { EMPTY_TREE, FOLDER_MODE, type FolderEntry, type TreeFolder, treeObjectOf } from './tree-object.ts'

export interface ThreeTrees {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/**
 * Merges trees by the names of their contents alone, in this process, as far as that goes: what one side left as it was
 * is taken from the other. Where both changed one path, git has to look into it.
 */
export async function mergeFolders(store: PrivateStore, trees: ThreeTrees): Promise<Result<FoldersMerged>> {
  const folders = await foldersOf(store, trees)
  if (!folders.ok) return folders
  const idLength = trees.base.length
  const rows = rowsOf(folders.value, asEntries(trees))
  const write = (pick: Pick) => writeRows(store.folder.store, idLength, rows, pick)
  if (!has(rows, 'met')) return ok({ outcome: 'merged', tree: write(taken) })
  if (!has(rows, 'turned')) return ok({ outcome: 'met', trees })
  // Settled on all sides: a file that one side made a folder of is a conflict to git whenever both removed another.
  const settled =
    (side: keyof ThreeTrees): Pick =>
    row =>
      row.isTurned ? taken(row) : row[side]
  const [base, mine, theirs] = [write(settled('base')), write(settled('mine')), write(settled('theirs'))]
  return ok({ outcome: 'met', trees: { base, mine, theirs } })
}

export type FoldersMerged =
  | { readonly outcome: 'merged'; readonly tree: string }
  /** Both sides changed the same paths; merging these trees is what is left to do. */
  | { readonly outcome: 'met'; readonly trees: ThreeTrees }

type Entries = Readonly<Record<keyof ThreeTrees, FolderEntry | null>>

interface Row extends Entries {
  readonly verdict: 'mine' | 'theirs' | 'met'
  /** One side has a folder where there was a file, or the other way round. */
  readonly isTurned: boolean
}

type Rows = ReadonlyMap<string, Row | Rows>
type Pick = (row: Row) => FolderEntry | null

const taken: Pick = row => (row.verdict === 'theirs' ? row.theirs : row.mine)

function asEntries({ base, mine, theirs }: ThreeTrees): Entries {
  const entry = (object: string) => ({ mode: FOLDER_MODE, object })
  return { base: entry(base), mine: entry(mine), theirs: entry(theirs) }
}

/** One side decides, both go on below it, or git has to look. */
function judge({ base, mine, theirs }: Entries): Row['verdict'] | 'open' {
  if (isSame(base, mine)) return 'theirs'
  if (isSame(base, theirs)) return 'mine'
  if (base === null && isSame(mine, theirs)) return 'mine'
  if (isFolder(mine) && isFolder(theirs) && (base === null || isFolder(base))) return 'open'
  // What both removed may have another name on each side by now.
  const isSameFile = isSame(mine, theirs) && mine !== null && !isFolder(mine) && !isFolder(base)
  return isSameFile ? 'mine' : 'met'
}

function isFolder(entry: FolderEntry | null): boolean {
  return entry?.mode === FOLDER_MODE
}

function isSame(one: FolderEntry | null, other: FolderEntry | null): boolean {
  return one?.object === other?.object && one?.mode === other?.mode
}

function rowsOf(folders: ReadonlyMap<string, TreeFolder>, above: Entries): Rows {
  const rows = new Map<string, Row | Rows>()
  for (const [name, entries] of childrenOf(folders, above)) {
    const verdict = judge(entries)
    if (verdict === 'open') {
      rows.set(name, rowsOf(folders, entries))
      continue
    }
    const { base } = entries
    const fresh = verdict === 'theirs' ? entries.theirs : entries.mine
    const isTurned = base !== null && fresh !== null && isFolder(base) !== isFolder(fresh)
    rows.set(name, { ...entries, verdict, isTurned: isTurned && verdict !== 'met' })
  }
  return rows
}

function childrenOf(folders: ReadonlyMap<string, TreeFolder>, above: Entries): Map<string, Entries> {
  const of = (entry: FolderEntry | null) => (entry === null ? undefined : folders.get(entry.object))
  const [base, mine, theirs] = [of(above.base), of(above.mine), of(above.theirs)]
  const names = new Set([...(base?.keys() ?? []), ...(mine?.keys() ?? []), ...(theirs?.keys() ?? [])])
  const at = (folder: TreeFolder | undefined, name: string) => folder?.get(name) ?? null
  return new Map(
    [...names].map(name => [name, { base: at(base, name), mine: at(mine, name), theirs: at(theirs, name) }]),
  )
}

function has(rows: Rows, what: 'met' | 'turned'): boolean {
  const isIt = (row: Row) => (what === 'met' ? row.verdict === 'met' : row.isTurned)
  return [...rows.values()].some(row => (isRow(row) ? isIt(row) : has(row, what)))
}

function isRow(row: Row | Rows): row is Row {
  return !(row instanceof Map)
}

function writeRows(gitDir: string, idLength: number, rows: Rows, pick: Pick): string {
  const folder = new Map<string, FolderEntry>()
  for (const [name, row] of rows) {
    if (isRow(row)) {
      const entry = pick(row)
      if (entry) folder.set(name, entry)
      continue
    }
    const object = writeRows(gitDir, idLength, row, pick)
    // A tree knows no empty folders.
    if (object !== EMPTY_TREE[idLength]) folder.set(name, { mode: FOLDER_MODE, object })
  }
  return writeObject(gitDir, { type: 'tree', content: treeObjectOf(folder) }, idLength)
}

/** The folders in which the sides differ, level by level. */
async function foldersOf(store: PrivateStore, trees: ThreeTrees): Promise<Result<Map<string, TreeFolder>>> {
  const folders = new Map<string, TreeFolder>()
  let level: Entries[] = [asEntries(trees)]
  while (level.length > 0) {
    const ids = new Set(
      level.flatMap(each => [each.base, each.mine, each.theirs]).flatMap(each => each?.object ?? []),
    )
    const read = await readFolders(store, ids)
    if (!read.ok) return read
    for (const [id, folder] of read.value) folders.set(id, folder)
    level = level.flatMap(each =>
      [...childrenOf(folders, each).values()].filter(row => judge(row) === 'open'),
    )
  }
  return ok(folders)
}
