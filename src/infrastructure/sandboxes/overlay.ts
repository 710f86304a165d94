import { refuse } from '../../domain/failure.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { SandboxStrategy } from '../../domain/sandbox/strategy.ts'
import { type CreatedIn, folderStrategy, type StrategyAccess } from './folder-strategy.ts'
import { createChildOverlay } from './overlay/create-child-overlay.ts'
import { createOverlay } from './overlay/create-overlay.ts'
import { layeredFolder } from './overlay/layered-folder.ts'
import { createMounts } from './overlay/mounts.ts'
import { overlayPlaces } from './overlay/places.ts'
import { createProbe } from './overlay/probe.ts'
import { reasonAgainst } from './overlay/reasons-against.ts'
import type { PrivateStore } from './store/private-store.ts'

/** A layer over the user's own folder, by the kernel: made at once however large the folder is. Linux only. */
export function overlay(access: StrategyAccess): SandboxStrategy {
  const { environment } = access
  const mounts = createMounts(access.host, environment)
  const probe = createProbe(access)
  const present = (store: PrivateStore, { projectRoot, lower }: CreatedIn) =>
    layeredFolder({
      ...{ store, projectRoot, lower, mounts, environment },
      places: overlayPlaces(store.folder),
      way: () => probe(projectRoot),
    })
  return folderStrategy(access, {
    name: 'overlay',
    protects: [
      'Your files stay as they are until you approve Apply, and Apply merges around what you changed meanwhile.',
      'Commands see the sandbox at the place of your project, dependencies and caches included.',
      'Every checkpoint can be returned to exactly.',
    ],
    doesNotProtect: [
      'Commands that reach outside the sandbox folder, unless they run confined.',
      "What you change meanwhile in files the plan has not touched can be seen in the sandbox; it is never applied as the plan's.",
      'What the plan changes in dependency folders and other ignored files is not part of checkpoints, and is not applied.',
      'Repositories inside the project and submodules are left out of checkpoints and of Apply.',
    ],
    restores: 'always',
    place: 'beside',
    unavailable: async ({ projectRoot, apart = [] }) =>
      apart.length > 0
        ? { reason: refuseDatabases(apart).failure.message, nextBest: 'filesystem_copy' }
        : reasonAgainst(access, probe, projectRoot),
    async create(folder, spec, signal) {
      const against = await reasonAgainst(access, probe, spec.projectRoot)
      if (against) return refuse('not_available', against.reason, { ...spec, nextBest: against.nextBest })
      if (spec.apart?.length) return refuseDatabases(spec.apart)
      return createOverlay(access, folder, spec, signal)
    },
    async createChild(folder, spec, signal) {
      const against = await reasonAgainst(access, probe, spec.projectRoot)
      if (against) return refuse('not_available', against.reason, { ...spec, nextBest: against.nextBest })
      if (spec.apart?.length) return refuseDatabases(spec.apart)
      return createChildOverlay(access, folder, { ...spec, present }, signal)
    },
    present,
    workPlaces: folder => {
      const { upper, work, view } = overlayPlaces(folder)
      return [upper, work, view]
    },
  })
}

// SQLite follows every link on the way to a file by its text, and the way to a mount of another process is none.
function refuseDatabases(apart: readonly RelPath[]) {
  return refuse(
    'not_available',
    `The database ${apart[0]} lies inside the project, and a database cannot be opened in an overlay. Choose the sandbox filesystem_copy for this plan.`,
    { apart, nextBest: 'filesystem_copy' },
  )
}
