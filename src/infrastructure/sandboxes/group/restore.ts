import { ok, type Result } from '../../../domain/failure.ts'
import { decodeGroupState } from '../../../domain/sandbox/group-state.ts'
import { covers, type RelPath } from '../../../domain/sandbox/rel-path.ts'
import type {
  RestorePreview,
  RestoreReport,
  RestoreScope,
  SandboxState,
} from '../../../domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../../databases/database-sandbox.ts'
import { type Group, type GroupPart, ofFolder } from './part.ts'
import { putBack, type Undo } from './put-back.ts'

/** All or nothing: the folder goes last, since it undoes its own failure; the databases before it are put back. */
export async function restoreGroup(
  group: Group,
  state: SandboxState,
  scope: RestoreScope,
): Promise<Result<RestoreReport>> {
  const wanted = decodeGroupState(state)
  const reports: RestoreReport[] = []
  const undo: Undo[] = []
  for (const part of concerned(group, scope)) {
    const sandbox = await part.open()
    if (!sandbox.ok) return putBack(undo, sandbox)
    const before = await recordBefore(sandbox.value)
    if (!before.ok) return putBack(undo, before)
    const target = wanted.databases.get(part.strategy.resource.resourceId) ?? sandbox.value.baseline
    const restored = await sandbox.value.restore(target, scope)
    if (!restored.ok) return putBack(undo, restored)
    const { value } = before
    if (value !== null) undo.push(() => sandbox.value.restore(value))
    reports.push(restored.value)
  }
  const files = folderScope(group, scope)
  const restored = files === null ? ok(nothing) : await group.folder.restore(wanted.folder, files)
  if (!restored.ok) return putBack(undo, restored)
  return ok({
    restored: [restored.value, ...reports].flatMap(report => report.restored),
    removed: [restored.value, ...reports].flatMap(report => report.removed),
  })
}

export async function previewRestoreOfGroup(
  group: Group,
  state: SandboxState,
  about: { readonly scope: RestoreScope; readonly since: string },
): Promise<Result<RestorePreview>> {
  const wanted = decodeGroupState(state)
  const files = folderScope(group, about.scope)
  const previews: RestorePreview[] = []
  if (files !== null) {
    const preview = await group.folder.previewRestore(wanted.folder, { ...about, scope: files })
    if (!preview.ok) return preview
    previews.push(preview.value)
  }
  for (const part of concerned(group, about.scope)) {
    const sandbox = await part.open()
    if (!sandbox.ok) return sandbox
    const target = wanted.databases.get(part.strategy.resource.resourceId) ?? sandbox.value.baseline
    const preview = await sandbox.value.previewRestore(target, about)
    if (!preview.ok) return preview
    previews.push(preview.value)
  }
  return ok({
    restored: previews.flatMap(preview => preview.restored),
    leftAlone: previews.flatMap(preview => preview.leftAlone),
    cannotRestore: previews.flatMap(preview => preview.cannotRestore),
  })
}

const nothing: RestoreReport = { restored: [], removed: [] }

/**
 * What is there is recorded, so that it can be put back; null when there is nothing to keep, because it is gone or
 * broken and the restore is what brings it back.
 */
async function recordBefore(sandbox: DatabaseSandbox): Promise<Result<SandboxState | null>> {
  const recorded = await sandbox.checkpoint('before a restore', 'unknown')
  return !recorded.ok && recorded.failure.code === 'sandbox_failed' ? ok(null) : recorded
}

/** Null when the scope names databases only. */
function folderScope(group: Group, scope: RestoreScope): RestoreScope | null {
  if (scope.kind === 'all') return scope
  const paths = ofFolder(group, scope.paths)
  if (scope.kind === 'only' && paths.length === 0) return null
  return paths.length === 0 ? { kind: 'all' } : { kind: scope.kind, paths }
}

function concerned({ parts }: Group, scope: RestoreScope): GroupPart[] {
  const isMeant = ({ name }: GroupPart) =>
    scope.kind !== 'only' || scope.paths.some(path => covers(name as RelPath, path))
  return parts.filter(part => part.isUsed() && isMeant(part))
}
