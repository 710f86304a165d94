import { createHash } from 'node:crypto'
import { ok, type Result } from '../../../domain/failure.ts'
import type { ChangedFile, ChangeSet } from '../../../domain/sandbox/changeset.ts'
import { relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import { countedChanges } from './counted-changes.ts'
import { splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'

/** The change set between two trees, with renames found and lines counted. */
export async function listChanges(store: PrivateStore, from: string, to: string): Promise<Result<ChangeSet>> {
  const digest = createHash('sha256').update(`${from}\0${to}`).digest('hex')
  const counted = countedChanges(store, from, to)
  if (counted !== null) return ok({ digest, files: counted })
  const args = ['diff-tree', '-r', '-z', '--raw', '--numstat', ...diffOptions, '--end-of-options', from, to]
  const ran = await store.run({ args })
  if (!ran.ok) return ran
  return ok({ digest, files: joinRows(splitNul(ran.value)) })
}

/** The same differences as text that `git apply` takes. */
export async function writePatch(store: PrivateStore, from: string, to: string): Promise<Result<Buffer>> {
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/']
  const args = ['diff-tree', '-r', '-p', '--binary', '--full-index', ...prefixes, ...diffOptions]
  return store.run({ args: [...args, '--end-of-options', from, to] })
}

const diffOptions = ['-M50%', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all']

interface RawRow {
  readonly oldMode: string
  readonly newMode: string
  readonly isSameObject: boolean
  readonly letter: string
}

// First all ":modes objects status" records, each followed by one path or, for renames, two; then the line counts in
// the same order.
function joinRows(fields: readonly Buffer[]): ChangedFile[] {
  const rows = new Map<string, RawRow>()
  let position = 0
  for (; fields[position]?.[0] === COLON; ) {
    const row = parseRaw(fields[position]?.toString('latin1') ?? '')
    const length = row.letter === 'R' ? 3 : 2
    rows.set(key(fields[position + length - 1]), row)
    position += length
  }
  const files: ChangedFile[] = []
  while (position < fields.length) {
    const counted = parseCounts(fields, position)
    const row = rows.get(key(counted.path))
    const file = row ? changedFile(row, counted) : null
    if (file) files.push(file)
    position = counted.next
  }
  return files
}

function parseRaw(header: string): RawRow {
  const [oldMode = '', newMode = '', oldObject, newObject, status = ''] = header.slice(1).split(' ')
  return { oldMode, newMode, isSameObject: oldObject === newObject, letter: status.charAt(0) }
}

interface CountedPath {
  readonly path: Buffer
  readonly oldPath: Buffer | null
  readonly additions: string
  readonly deletions: string
  readonly next: number
}

function parseCounts(fields: readonly Buffer[], at: number): CountedPath {
  const field = fields[at] ?? Buffer.alloc(0)
  const firstTab = field.indexOf(TAB)
  const secondTab = field.indexOf(TAB, firstTab + 1)
  const additions = field.subarray(0, firstTab).toString()
  const deletions = field.subarray(firstTab + 1, secondTab).toString()
  const path = field.subarray(secondTab + 1)
  if (path.length > 0) return { path, oldPath: null, additions, deletions, next: at + 1 }
  const [oldPath = null, newPath = Buffer.alloc(0)] = [fields[at + 1], fields[at + 2]]
  return { path: newPath, oldPath, additions, deletions, next: at + 3 }
}

function changedFile(row: RawRow, counted: CountedPath): ChangedFile | null {
  const path = relPathFromBytes(counted.path)
  const oldPath = counted.oldPath === null ? null : relPathFromBytes(counted.oldPath)
  if (!path.ok || row.oldMode === GITLINK || row.newMode === GITLINK) return null
  return {
    path: path.value,
    oldPath: oldPath?.ok ? oldPath.value : null,
    status: statusOf(row),
    additions: Number.parseInt(counted.additions, 10) || 0,
    deletions: Number.parseInt(counted.deletions, 10) || 0,
    binary: counted.additions === '-',
  }
}

function statusOf(row: RawRow): ChangedFile['status'] {
  if (row.letter === 'A') return 'added'
  if (row.letter === 'D') return 'deleted'
  if (row.letter === 'R') return 'renamed'
  if (row.letter === 'T') return 'type_changed'
  return row.isSameObject ? 'mode_changed' : 'modified'
}

function key(path: Buffer | undefined): string {
  return path?.toString('latin1') ?? ''
}

const COLON = 0x3a
const TAB = 0x09
const GITLINK = '160000'
