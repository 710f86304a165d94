import { createHash } from 'node:crypto'
import { ok, type Result } from '../../../domain/failure.ts'
import type { PlanId } from '../../../domain/ids.ts'
import type { ChangeSet } from '../../../domain/sandbox/changeset.ts'
import { decodeGroupState, encodeGroupState } from '../../../domain/sandbox/group-state.ts'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import type { DriftedPath, Sandbox, SandboxState } from '../../../domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../../databases/database-sandbox.ts'
import { type Group, type GroupPart, ofFolder } from './part.ts'
import { differing } from './request.ts'

/** A state of the group is a state of each part that the plan has worked with; what lies between two is said part by part. */
export function groupStates(
  group: Group,
): Pick<Sandbox, 'checkpoint' | 'drift' | 'captureProject' | 'changes' | 'patch'> {
  const { folder, parts } = group
  return { checkpoint, drift, captureProject, changes, patch }

  async function checkpoint(
    label: string,
    written: readonly RelPath[] | 'unknown',
  ): Promise<Result<SandboxState>> {
    const files = written === 'unknown' ? written : ofFolder(group, written)
    const state = await folder.checkpoint(label, files)
    if (!state.ok) return state
    const databases: [GroupPart['strategy']['resource']['resourceId'], SandboxState][] = []
    for (const part of parts.filter(each => each.isUsed())) {
      const sandbox = await part.open()
      if (!sandbox.ok) return sandbox
      const recorded = await sandbox.value.checkpoint(label, written)
      if (!recorded.ok) return recorded
      if (recorded.value !== sandbox.value.baseline)
        databases.push([part.strategy.resource.resourceId, recorded.value])
    }
    const hasFiles = state.value !== folder.baseline
    return ok(encodeGroupState({ folder: state.value, hasFiles, databases: new Map(databases) }))
  }

  async function drift(
    recorded: SandboxState,
    written: readonly RelPath[],
  ): Promise<Result<readonly DriftedPath[]>> {
    const state = decodeGroupState(recorded)
    const files = await folder.drift(state.folder, ofFolder(group, written))
    if (!files.ok) return files
    const found = [...files.value]
    for (const part of parts.filter(each => each.isUsed())) {
      const sandbox = await part.open()
      if (!sandbox.ok) return sandbox
      const from = state.databases.get(part.strategy.resource.resourceId) ?? sandbox.value.baseline
      const drifted = await sandbox.value.drift(from, written)
      if (!drifted.ok) return drifted
      found.push(...drifted.value)
    }
    return ok(found)
  }

  /** Databases stand as they are known: Apply compares their rows with those of the user. */
  async function captureProject(known: SandboxState): Promise<Result<SandboxState | null>> {
    const { folder: from, databases } = decodeGroupState(known)
    const files = await folder.captureProject(from)
    if (!files.ok || files.value === null) return files
    const hasFiles = files.value !== folder.baseline
    return ok(encodeGroupState({ folder: files.value, hasFiles, databases }))
  }

  async function changes(from: SandboxState, to: SandboxState): Promise<Result<ChangeSet>> {
    const files = await folder.changes(decodeGroupState(from).folder, decodeGroupState(to).folder)
    if (!files.ok) return files
    const sets = [files.value]
    for (const { sandbox, range } of await between(group, from, to)) {
      if (!sandbox.ok) return sandbox
      const found = await sandbox.value.changes(range.from, range.to)
      if (!found.ok) return found
      sets.push(found.value)
    }
    return ok(joined(sets))
  }

  async function patch(
    from: SandboxState,
    to: SandboxState,
    only?: readonly RelPath[],
  ): Promise<Result<Uint8Array>> {
    const inFolder = only === undefined ? undefined : ofFolder(group, only)
    const files =
      inFolder?.length === 0
        ? ok(new Uint8Array())
        : await folder.patch(decodeGroupState(from).folder, decodeGroupState(to).folder, inFolder)
    if (!files.ok) return files
    const pieces = [files.value]
    for (const { sandbox, range } of await between(group, from, to)) {
      if (!sandbox.ok) return sandbox
      const piece = await sandbox.value.patch(range.from, range.to, only)
      if (!piece.ok) return piece
      pieces.push(piece.value)
    }
    return ok(Buffer.concat(pieces))
  }
}

interface Between {
  readonly sandbox: Result<DatabaseSandbox>
  readonly range: { readonly from: SandboxState; readonly to: SandboxState }
}

/** The databases whose states differ; others need not even be opened. They are states of `planId`, where it is another. */
export async function between(
  group: Group,
  from: SandboxState,
  to: SandboxState,
  planId: PlanId | null = null,
): Promise<Between[]> {
  const found: Between[] = []
  for (const { part, ...states } of differing(group, { from, to })) {
    const sandbox = await part.open()
    // What a state does not mention is as it was when its own plan began.
    const other = sandbox.ok && planId !== null ? await sandbox.value.baselineIn(planId) : null
    const baseline = other ?? (sandbox.ok ? sandbox.value.baseline : from)
    found.push({ sandbox, range: { from: states.from ?? baseline, to: states.to ?? baseline } })
  }
  return found
}

function joined(sets: readonly ChangeSet[]): ChangeSet {
  const [first, ...more] = sets
  if (first && more.length === 0) return first
  const digest = createHash('sha256')
    .update(sets.map(set => set.digest).join('\n'))
    .digest('hex')
  return { digest, files: sets.flatMap(set => set.files) }
}
