import { ok, type Result } from '../../../domain/failure.ts'
import { relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyConflict, SandboxState } from '../../../domain/sandbox/strategy.ts'
import { splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'

export type Merged =
  | { readonly outcome: 'clean'; readonly tree: string }
  | { readonly outcome: 'conflicts'; readonly conflicts: readonly ApplyConflict[] }

/** Merges two states that share a base, without a working folder. */
export async function mergeStates(
  store: PrivateStore,
  mine: SandboxState,
  theirs: SandboxState,
): Promise<Result<Merged>> {
  const args = ['merge-tree', '--write-tree', '-z', '--messages', mine, theirs]
  const ran = await store.run({ args, accept: [1] })
  if (!ran.ok) return ran
  const fields = splitNul(ran.value)
  const tree = fields[0]?.toString() ?? ''
  const conflicts = parseConflicts(fields.slice(1), [mine, theirs])
  return ok(conflicts.length === 0 ? { outcome: 'clean', tree } : { outcome: 'conflicts', conflicts })
}

// "<mode> <object> <stage>\t<path>" for each unmerged entry, an empty field, then messages: a count, that many paths,
// the kind of message, its text.
function parseConflicts(fields: readonly Buffer[], sides: readonly SandboxState[]): ApplyConflict[] {
  const end = fields.findIndex(field => field.length === 0)
  const unmerged = end < 0 ? fields : fields.slice(0, end)
  const messages = end < 0 ? [] : parseMessages(fields.slice(end + 1))
  const kinds = new Map<string, Kind>()
  for (const { kind, paths } of messages) {
    const name = ownName(paths[0] ?? '', sides)
    // "contents" follows "binary" for the same file; the first says more.
    if (!(kind === 'content' && kinds.has(name))) kinds.set(name, kind)
  }
  const isExplained = new Set(messages.flatMap(message => message.paths))
  for (const entry of unmerged) {
    const name = entry.subarray(entry.indexOf(0x09) + 1).toString('latin1')
    if (!isExplained.has(name) && !kinds.has(ownName(name, sides))) kinds.set(ownName(name, sides), 'content')
  }
  return [...kinds].flatMap(([name, kind]) => conflictAt(name, kind))
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
function ownName(name: string, sides: readonly SandboxState[]): string {
  const side = sides.find(commit => name.endsWith(`~${commit}`))
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

function conflictAt(name: string, kind: Kind): ApplyConflict[] {
  const path = relPathFromBytes(Buffer.from(name, 'latin1'))
  return path.ok ? [{ path: path.value, kind, reason: `${path.value}: ${reasons[kind]}.` }] : []
}

const reasons: Record<Kind, string> = {
  content: 'you and the plan changed the same lines',
  binary: 'you and the plan changed this file, and it is not text',
  modify_delete: 'one side changed this file and the other deleted it',
  rename: 'you and the plan moved this file in ways that do not fit together',
  file_directory: 'one side has a file where the other has a folder or a link',
  foreign: 'it changed while the plan was being applied',
  unsafe_parent: 'a folder above it is a link',
  too_big: 'it is too big to be recorded',
}
