import { ok, type Result, refuse } from '../../domain/failure.ts'
import type {
  ApplyReport,
  ApplyRequest,
  Sandbox,
  SandboxState,
  SandboxStrategy,
} from '../../domain/sandbox/strategy.ts'
import { captureInPlace } from './copy/capture-in-place.ts'
import { reasonAgainst } from './copy/own-data.ts'
import { folderStrategy, ownFolder, type StrategyAccess } from './folder-strategy.ts'

/** No sandbox: the plan works in the user's folder. Its states are there to be read, not to be returned to. */
export function inPlace(access: StrategyAccess): SandboxStrategy {
  return folderStrategy(access, {
    name: 'none',
    protects: ['What the plan changed can be read afterwards, decision by decision.'],
    doesNotProtect: [
      'Every write is in your own files at once; Apply has nothing left to do.',
      'Nothing can be rolled back. A correction adds to what is there.',
      'What you change meanwhile counts as the work of the plan.',
      'Dependency folders, other ignored files, repositories inside the project and files above the limit of big files are in no diff.',
    ],
    ...ownFolder,
    restores: 'never',
    place: 'in_place',
    unavailable: ({ projectRoot }) => Promise.resolve(reasonAgainst(access.stateDir, projectRoot)),
    async create(folder, spec, signal) {
      const { projectRoot } = spec
      const against = reasonAgainst(access.stateDir, projectRoot)
      if (against) return refuse('not_available', against.reason, { projectRoot })
      return captureInPlace(access, folder, spec, signal)
    },
    verbs: sandbox => ({
      ...sandbox,
      restore: async state => ifNothingChanged(sandbox, state, { restored: [], removed: [] }),
      previewRestore: async state =>
        ifNothingChanged(sandbox, state, { restored: [], leftAlone: [], cannotRestore: [] }),
      // There is nothing that the folder could have drifted from: whoever writes in it, it is the work.
      drift: async () => ok([]),
      captureProject: async () => ok(null),
      apply: request => nothingToApply(sandbox, request),
    }),
  })
}

/** A state that the folder is in needs no way back to it. */
async function ifNothingChanged<Value>(
  sandbox: Sandbox,
  state: SandboxState,
  nothing: Value,
): Promise<Result<Value>> {
  const drift = await sandbox.drift(state, [])
  if (!drift.ok) return drift
  return drift.value.length === 0 ? ok(nothing) : refuseToReturn()
}

function refuseToReturn() {
  return refuse(
    'not_available',
    'This plan works in your own folder (sandbox none) and keeps nothing that it could return to. Correct it by adding to what is there: agents plan correct DECISION --mode append.',
  )
}

async function nothingToApply(sandbox: Sandbox, { from, to }: ApplyRequest): Promise<Result<ApplyReport>> {
  const changes = await sandbox.changes(from, to)
  if (!changes.ok) return changes
  return ok({
    outcome: 'applied',
    written: [],
    unchanged: changes.value.files.map(file => file.path),
    left: [],
    notices: [],
    state: to,
  })
}
