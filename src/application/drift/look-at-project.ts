import type { Result } from '../../domain/failure.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { ChangedFile } from '../../domain/sandbox/changeset.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { DriftedPath, Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'
import { fromOf } from '../plan/base-state.ts'
import type { Ports } from '../ports.ts'

/** What the user changed in their own files since the plan took them. */
export interface ProjectEdits {
  readonly from: SandboxState
  readonly captured: SandboxState
  readonly files: readonly ChangedFile[]
  /** Those that the plan read or wrote too. */
  readonly both: readonly Pick<DriftedPath, 'path' | 'how'>[]
  /** Names exactly what these have become. */
  readonly digest: string
}

/** Null when nothing changed, or nobody can tell. */
export async function lookAtProject(
  ports: Ports,
  plan: Plan,
  cursor: Cursor,
  sandbox: Sandbox,
): Promise<Result<ProjectEdits | null>> {
  const from = fromOf(plan, cursor, sandbox)
  const captured = await sandbox.captureProject(from)
  if (!captured.ok) return captured
  if (captured.value === null || captured.value === from) return { ok: true, value: null }
  const edits = await sandbox.changes(from, captured.value)
  if (!edits.ok) return edits
  const { files } = edits.value
  if (files.length === 0) return { ok: true, value: null }
  const own = await sandbox.changes(from, cursor.sandboxState)
  if (!own.ok) return own
  const touched = new Set([...own.value.files.flatMap(namesOfFile), ...pathsOfSteps(ports, plan)])
  const both = files.flatMap(file =>
    namesOfFile(file).some(name => touched.has(name)) ? [wordsFor(file)] : [],
  )
  const patch = await sandbox.patch(
    from,
    captured.value,
    both.map(({ path }) => path),
  )
  if (!patch.ok) return patch
  const digest = ports.digest(Buffer.from(patch.value).toString('latin1'))
  return { ok: true, value: { from, captured: captured.value, files, both, digest } }
}

/** As far as the journal knows them: nobody sees what a command reads, and what it wrote is among the changes. */
function pathsOfSteps({ store }: Ports, plan: Plan): RelPath[] {
  const active = new Set(
    store.decisions
      .listByPlan(plan.planId)
      .filter(isActive)
      .map(each => each.decisionId),
  )
  return store.steps
    .listByPlan(plan.planId)
    .filter(step => step.kind !== 'restore' && (step.decisionId === null || active.has(step.decisionId)))
    .flatMap(({ read, written }) => [read, written])
    .flatMap(paths => (paths === 'unknown' ? [] : paths))
}

function namesOfFile({ path, oldPath }: ChangedFile): RelPath[] {
  return oldPath === null ? [path] : [path, oldPath]
}

function wordsFor({ path, status }: ChangedFile): Pick<DriftedPath, 'path' | 'how'> {
  if (status === 'added') return { path, how: 'added' }
  return { path, how: status === 'deleted' ? 'removed' : 'changed' }
}

/** For the Apply gate: how much of the user's own went on meanwhile, and where it meets the plan's. */
export function editsInWords({ files, both }: ProjectEdits): string {
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'} of yours changed meanwhile`
  if (both.length === 0) return `${count}; the plan touches none of them, and Apply merges around them`
  return `${count}; the plan touches ${both.length === 1 ? 'one of them' : `${both.length} of them`} too: ${both.map(({ path }) => path).join(', ')}`
}
