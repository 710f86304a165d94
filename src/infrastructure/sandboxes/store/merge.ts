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
  const conflicts = parseConflicts(fields.slice(1))
  return ok(conflicts.length === 0 ? { outcome: 'clean', tree } : { outcome: 'conflicts', conflicts })
}

// "<mode> <object> <stage>\t<path>" for each unmerged entry, an empty field, then messages: a count, that many paths,
// the kind of message, its text.
function parseConflicts(fields: readonly Buffer[]): ApplyConflict[] {
  const end = fields.findIndex(field => field.length === 0)
  const unmerged = end < 0 ? fields : fields.slice(0, end)
  const kinds = end < 0 ? new Map<string, Kind>() : messageKinds(fields.slice(end + 1))
  for (const entry of unmerged) {
    const path = entry.subarray(entry.indexOf(0x09) + 1).toString('latin1')
    if (!kinds.has(path) && !isMovedAside(path, kinds)) kinds.set(path, 'content')
  }
  return [...kinds].flatMap(([name, kind]) => conflictAt(name, kind))
}

type Kind = ApplyConflict['kind']

function messageKinds(fields: readonly Buffer[]): Map<string, Kind> {
  const kinds = new Map<string, Kind>()
  for (let at = 0; at < fields.length; ) {
    const count = Number(fields[at]?.toString())
    const kind = kindOf(fields[at + count + 1]?.toString() ?? '')
    const path = fields[at + 1]?.toString('latin1')
    // "contents" follows "binary" for the same file; the first says more.
    if (kind && path !== undefined && !(kind === 'content' && kinds.has(path))) kinds.set(path, kind)
    at += count + 3
  }
  return kinds
}

function kindOf(message: string): Kind | null {
  if (!message.startsWith('CONFLICT')) return null
  if (message.includes('binary')) return 'binary'
  if (message.includes('modify/delete')) return 'modify_delete'
  if (message.includes('rename')) return 'rename'
  if (message.includes('file/directory') || message.includes('distinct')) return 'file_directory'
  return 'content'
}

// A file in the way of a folder is listed as "name~commit".
function isMovedAside(path: string, kinds: ReadonlyMap<string, Kind>): boolean {
  const original = path.replace(/~[^/]*$/, '')
  return original !== path && kinds.has(original)
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
}
