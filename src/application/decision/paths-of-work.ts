import { ok, type Result } from '../../domain/failure.ts'
import type { DecisionId } from '../../domain/ids.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import type { Ports } from '../ports.ts'

/** The paths that differ through what was done under a decision; a renamed file has both its names. */
export async function changedUnder(
  { store }: Ports,
  sandbox: Sandbox,
  decisionId: DecisionId,
): Promise<Result<Set<RelPath>>> {
  const paths = new Set<RelPath>()
  for (const { from, to } of store.works.listByDecision(decisionId)) {
    const changes = await sandbox.changes(from ?? sandbox.baseline, to)
    if (!changes.ok) return changes
    for (const { path, oldPath } of changes.value.files) {
      paths.add(path)
      if (oldPath) paths.add(oldPath)
    }
  }
  return ok(paths)
}

/** The paths that its steps wrote as far as they tell, also where they left everything as it was. */
export function writtenUnder({ store }: Ports, decisionId: DecisionId): RelPath[] {
  return store.steps
    .listByDecision(decisionId)
    .filter(step => step.status === 'done')
    .flatMap(({ written }) => (written === 'unknown' ? [] : written))
}
