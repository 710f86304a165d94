import { ok, type Result } from '../../../domain/failure.ts'
import { relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyConflict, SandboxState } from '../../../domain/sandbox/strategy.ts'
import { mergeFolders, type ThreeTrees } from './merge-folders.ts'
import { splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import { treeWithEntries } from './select-paths.ts'
import { recordState } from './states.ts'
import type { FolderEntry } from './tree-object.ts'

export type Merged = { readonly outcome: 'clean'; readonly tree: string } | Conflicting

export interface Conflicting {
  readonly outcome: 'conflicts'
  readonly conflicts: readonly ApplyConflict[]
  /** The tree as far as it could be merged, and what in it still has to be decided. */
  readonly tree: string
  readonly undecided: readonly Undecided[]
}

/** A path at which both sides changed something; null: that side has nothing there. */
export interface Undecided {
  readonly path: Buffer
  readonly mine: FolderEntry | null
  readonly theirs: FolderEntry | null
  /** Names under which the unfinished tree has what stands in the way of another. */
  readonly aside: readonly Buffer[]
}

/** Who met, as a conflict is told. */
export type Sides = 'you and the plan' | 'the two plans' | 'both sides'

/** Merges trees without a working folder: whatever else happened to either side, the base is what they share. */
export async function mergeTrees(
  store: PrivateStore,
  trees: ThreeTrees,
  sides: Sides,
  signal?: AbortSignal,
): Promise<Result<Merged>> {
  const folders = await mergeFolders(store, trees)
  if (!folders.ok) return folders
  if (folders.value.outcome === 'merged') return ok({ outcome: 'clean', tree: folders.value.tree })
  const states = await statesFor(store, folders.value.trees, signal)
  if (!states.ok) return states
  const args = ['merge-tree', '--write-tree', '-z', '--messages', ...states.value]
  const ran = await store.run({ args, accept: [1] }, signal)
  if (!ran.ok) return ran
  const fields = splitNul(ran.value)
  const tree = fields[0]?.toString() ?? ''
  const { kinds, undecided } = parseConflicts(fields.slice(1), states.value)
  const conflicts = [...kinds].flatMap(([name, kind]) => conflictAt(name, kind, sides))
  return ok(
    conflicts.length === 0
      ? { outcome: 'clean', tree }
      : { outcome: 'conflicts', conflicts, tree, undecided },
  )
}

/** Git merges commits; both sides get the base as their only parent. */
async function statesFor(
  store: PrivateStore,
  { base, mine, theirs }: ThreeTrees,
  signal?: AbortSignal,
): Promise<Result<readonly [SandboxState, SandboxState]>> {
  const record = (tree: string, parent: SandboxState | null, label: string) =>
    recordState(store, { tree, parent, label, ref: null, recordedAt: new Date(0) }, signal)
  const root = await record(base, null, 'merge base')
  if (!root.ok) return root
  const here = await record(mine, root.value, 'here')
  if (!here.ok) return here
  const there = await record(theirs, root.value, 'there')
  return there.ok ? ok([here.value, there.value]) : there
}

/** The merged tree with one side's content wherever both met. */
export function decide(
  store: PrivateStore,
  { tree, undecided }: Conflicting,
  side: 'mine' | 'theirs',
): Promise<Result<string>> {
  const none = { mode: '0', object: '0'.repeat(tree.length) }
  const gone = undecided.flatMap(({ path, aside }) => [path, ...aside]).map(path => ({ path, ...none }))
  const put = undecided.flatMap(({ path, ...each }) => (each[side] ? [{ path, ...each[side] }] : []))
  return treeWithEntries(store, tree, [...gone, ...put])
}

// "<mode> <object> <stage>\t<path>" for each unmerged entry, an empty field, then messages: a count, that many paths,
// the kind of message, its text.
function parseConflicts(fields: readonly Buffer[], states: readonly SandboxState[]) {
  const end = fields.findIndex(field => field.length === 0)
  const unmerged = (end < 0 ? fields : fields.slice(0, end)).map(parseUnmerged)
  const messages = end < 0 ? [] : parseMessages(fields.slice(end + 1))
  const kinds = new Map<string, Kind>()
  for (const { kind, paths } of messages) {
    const name = ownName(paths[0] ?? '', states)
    // "contents" follows "binary" for the same file; the first says more.
    if (!(kind === 'content' && kinds.has(name))) kinds.set(name, kind)
  }
  const isExplained = new Set(messages.flatMap(message => message.paths))
  for (const { name } of unmerged)
    if (!isExplained.has(name) && !kinds.has(ownName(name, states)))
      kinds.set(ownName(name, states), 'content')
  return { kinds, undecided: undecidedOf(unmerged, states) }
}

interface Unmerged {
  readonly name: string
  readonly stage: string
  readonly entry: FolderEntry
}

function parseUnmerged(field: Buffer): Unmerged {
  const tab = field.indexOf(0x09)
  const [mode = '', object = '', stage = ''] = field.toString('latin1', 0, tab).split(' ')
  return { name: field.toString('latin1', tab + 1), stage, entry: { mode, object } }
}

function undecidedOf(unmerged: readonly Unmerged[], states: readonly SandboxState[]): Undecided[] {
  const names = [...new Set(unmerged.map(({ name }) => ownName(name, states)))]
  return names.map(own => {
    const here = unmerged.filter(({ name }) => ownName(name, states) === own)
    const at = (stage: string) => here.find(each => each.stage === stage)?.entry ?? null
    const aside = here.filter(({ name }) => name !== own).map(({ name }) => Buffer.from(name, 'latin1'))
    return { path: Buffer.from(own, 'latin1'), mine: at('2'), theirs: at('3'), aside }
  })
}

type Kind = ApplyConflict['kind']

interface Message {
  readonly kind: Kind
  readonly paths: readonly string[]
}

function parseMessages(fields: readonly Buffer[]): Message[] {
  const messages: Message[] = []
  for (let at = 0; at < fields.length; ) {
    const count = Number(fields[at]?.toString())
    const kind = kindOf(fields[at + count + 1]?.toString() ?? '')
    const paths = fields.slice(at + 1, at + 1 + count).map(path => path.toString('latin1'))
    if (kind) messages.push({ kind, paths })
    at += count + 3
  }
  return messages
}

// A file in the way of a folder is listed as "name~commit of its side".
function ownName(name: string, states: readonly SandboxState[]): string {
  const side = states.find(commit => name.endsWith(`~${commit}`))
  return side ? name.slice(0, -side.length - 1) : name
}

function kindOf(message: string): Kind | null {
  if (!message.startsWith('CONFLICT')) return null
  if (message.includes('binary')) return 'binary'
  if (message.includes('modify/delete')) return 'modify_delete'
  if (message.includes('rename')) return 'rename'
  if (message.includes('file/directory') || message.includes('distinct')) return 'file_directory'
  return 'content'
}

function conflictAt(name: string, kind: Kind, sides: Sides): ApplyConflict[] {
  const path = relPathFromBytes(Buffer.from(name, 'latin1'))
  return path.ok
    ? [{ path: path.value, kind, reason: `${path.value}: ${reasons[kind].replace('SIDES', sides)}.` }]
    : []
}

const reasons: Record<Kind, string> = {
  content: 'SIDES changed the same lines',
  binary: 'SIDES changed this file, and it is not text',
  modify_delete: 'one side changed this file and the other deleted it',
  rename: 'SIDES moved this file in ways that do not fit together',
  file_directory: 'one side has a file where the other has a folder or a link',
  foreign: 'it changed while the plan was being applied',
  unsafe_parent: 'a folder above it is a link',
  too_big: 'it is too big to be recorded',
}
