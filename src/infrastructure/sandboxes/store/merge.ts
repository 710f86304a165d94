import { ok, type Result } from '../../../domain/failure.ts'
import { relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyConflict, SandboxState } from '../../../domain/sandbox/strategy.ts'
import { splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import { recordState } from './states.ts'

export type Merged =
  | { readonly outcome: 'clean'; readonly tree: string }
  | { readonly outcome: 'conflicts'; readonly conflicts: readonly ApplyConflict[] }

/** Who met, as a conflict is told. */
export type Sides = 'you and the plan' | 'the two plans' | 'both sides'

export interface ThreeTrees {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** Merges trees: whatever else happened to either side, the base is what they share. */
export async function mergeTrees(
  store: PrivateStore,
  { base, mine, theirs }: ThreeTrees,
  sides: Sides,
  signal?: AbortSignal,
): Promise<Result<Merged>> {
  const record = (tree: string, parent: SandboxState | null, label: string) =>
    recordState(store, { tree, parent, label, ref: null, recordedAt: new Date(0) }, signal)
  const root = await record(base, null, 'merge base')
  if (!root.ok) return root
  const here = await record(mine, root.value, 'here')
  if (!here.ok) return here
  const there = await record(theirs, root.value, 'there')
  return there.ok ? mergeStates(store, [here.value, there.value], sides, signal) : there
}

/** Merges two states that share a base, without a working folder. */
export async function mergeStates(
  store: PrivateStore,
  states: readonly [mine: SandboxState, theirs: SandboxState],
  sides: Sides,
  signal?: AbortSignal,
): Promise<Result<Merged>> {
  const args = ['merge-tree', '--write-tree', '-z', '--messages', ...states]
  const ran = await store.run({ args, accept: [1] }, signal)
  if (!ran.ok) return ran
  const fields = splitNul(ran.value)
  const tree = fields[0]?.toString() ?? ''
  const kinds = parseConflicts(fields.slice(1), states)
  const conflicts = [...kinds].flatMap(([name, kind]) => conflictAt(name, kind, sides))
  return ok(conflicts.length === 0 ? { outcome: 'clean', tree } : { outcome: 'conflicts', conflicts })
}

// "<mode> <object> <stage>\t<path>" for each unmerged entry, an empty field, then messages: a count, that many paths,
// the kind of message, its text.
function parseConflicts(fields: readonly Buffer[], states: readonly SandboxState[]): Map<string, Kind> {
  const end = fields.findIndex(field => field.length === 0)
  const unmerged = end < 0 ? fields : fields.slice(0, end)
  const messages = end < 0 ? [] : parseMessages(fields.slice(end + 1))
  const kinds = new Map<string, Kind>()
  for (const { kind, paths } of messages) {
    const name = ownName(paths[0] ?? '', states)
    // "contents" follows "binary" for the same file; the first says more.
    if (!(kind === 'content' && kinds.has(name))) kinds.set(name, kind)
  }
  const isExplained = new Set(messages.flatMap(message => message.paths))
  for (const entry of unmerged) {
    const name = entry.subarray(entry.indexOf(0x09) + 1).toString('latin1')
    if (!isExplained.has(name) && !kinds.has(ownName(name, states)))
      kinds.set(ownName(name, states), 'content')
  }
  return kinds
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
