import { ok, type Result } from '../../../domain/failure.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import type { PrivateStore } from './private-store.ts'
import { latestState } from './states.ts'
import { parseChanges, type TreeEntry } from './tree-diff.ts'

/** What each path held when it was first recorded after a state. */
export async function firstSeen(
  store: PrivateStore,
  since: SandboxState,
  signal: AbortSignal,
): Promise<Result<ReadonlyMap<string, TreeEntry>>> {
  const latest = await latestState(store)
  if (!latest.ok) return latest
  const options = ['--reverse', '--no-renames', '--diff-filter=A', '--raw', '--no-abbrev', '--format=', '-z']
  const range = ['--end-of-options', `${since}..${latest.value}`]
  const listed = await store.run({ args: ['log', ...options, ...range] }, signal)
  if (!listed.ok) return listed
  const first = new Map<string, TreeEntry>()
  for (const { path, new: entry } of parseChanges(listed.value)) {
    const name = path.toString('latin1')
    if (entry && !first.has(name)) first.set(name, entry)
  }
  return ok(first)
}
