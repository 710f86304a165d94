import { mapped, type Result } from '../../domain/failure.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import { namesOf } from '../../domain/sandbox/changeset.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { Ports } from '../ports.ts'

/** Remembers under which decision a step wrote, so that readers of those paths rest on it. Inside a transaction. */
export function recordWrites(ports: Ports, { planId, decisionId, kind, written }: Step): void {
  if (decisionId === null || written === 'unknown' || !KINDS.has(kind)) return
  ports.store.writes.addPaths(planId, decisionId, written)
}

/** Going back and applying are no work of a decision. */
const KINDS: ReadonlySet<Step['kind']> = new Set(['tool', 'adopt', 'spawn'])

/** What a command wrote is known once the sandbox is recorded again: before the next decision, and so before any reader. */
export async function writtenSinceRecorded(
  sandbox: Sandbox,
  cursor: Cursor,
  state: SandboxState,
): Promise<Result<RelPath[]>> {
  if (cursor.written !== 'unknown' || cursor.decisionId === null) return { ok: true, value: [] }
  const changes = await sandbox.changes(cursor.sandboxState, state)
  return mapped(changes, ({ files }) => files.flatMap(namesOf))
}
