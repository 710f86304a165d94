import type { ActionView } from '../src/a2a/protocol/views/action.ts'
import type { CalibrationView } from '../src/a2a/protocol/views/calibration.ts'
import type { DiffView } from '../src/a2a/protocol/views/changes.ts'
import type { CorrectionView } from '../src/a2a/protocol/views/correction.ts'
import type { ExplainView } from '../src/a2a/protocol/views/decision.ts'
import type { GuardsView } from '../src/a2a/protocol/views/guard.ts'
import type { HealthView } from '../src/a2a/protocol/views/health.ts'
import type { AuditView } from '../src/a2a/protocol/views/limits.ts'
import type { PlanProfileView, ProfilePreviewView, ProfileView } from '../src/a2a/protocol/views/profile.ts'
import type { ProjectView } from '../src/a2a/protocol/views/project.ts'
import type { RollbackView } from '../src/a2a/protocol/views/rollback.ts'
import type { Timer } from './frame-clock.ts'
import { createShelf, type Shelf } from './shelf.ts'

/** What is fetched only where it is looked at. Keys of what belongs to a plan begin with its id. */
export interface Shelves {
  readonly diffs: Shelf<DiffView>
  readonly explanations: Shelf<ExplainView>
  readonly previews: Shelf<CorrectionView>
  readonly undos: Shelf<RollbackView>
  readonly actions: Shelf<{ actions: ActionView[] }>
  readonly profiles: Shelf<{ profiles: ProfileView[] }>
  /** The profile a plan runs under, as it holds. */
  readonly planProfiles: Shelf<PlanProfileView>
  readonly planGuards: Shelf<GuardsView>
  /** What would wait for a person, by action, profile and project. */
  readonly waits: Shelf<ProfilePreviewView>
  readonly audits: Shelf<AuditView>
  /** How often what passed at a stated confidence was corrected later. */
  readonly calibration: Shelf<{ bands: CalibrationView[] }>
  readonly diagnostics: Shelf<HealthView>
  readonly projects: Shelf<ProjectView>
}

/** While a plan runs, what belongs to it grows old with every event; once a second is enough to read it anew. */
const restMs = 1_000

export function createShelves(timer: Timer, changed: () => void): Shelves {
  const calm = { timer, changed, restMs }
  const prompt = { timer, changed, restMs: 0 }
  return {
    diffs: createShelf(calm),
    explanations: createShelf(calm),
    previews: createShelf(calm),
    undos: createShelf(calm),
    actions: createShelf(prompt),
    profiles: createShelf(prompt),
    planProfiles: createShelf(calm),
    planGuards: createShelf(calm),
    waits: createShelf(prompt),
    audits: createShelf(calm),
    calibration: createShelf(prompt),
    diagnostics: createShelf(prompt),
    projects: createShelf(prompt),
  }
}

/** After an event: what was fetched about these plans may no longer hold. */
export function expirePlans(shelves: Shelves, planIds: readonly string[]): void {
  if (planIds.length === 0) return
  const isOld = (key: string) => planIds.some(id => key.startsWith(id))
  shelves.diffs.expire(isOld)
  shelves.explanations.expire(isOld)
  shelves.previews.expire(isOld)
  shelves.undos.expire(isOld)
  shelves.planProfiles.expire(isOld)
  shelves.planGuards.expire(isOld)
}

/** Nearly every event of a plan is also a line of its audit, or comes with one. */
export function expireAudit(shelves: Shelves, planId: string): void {
  shelves.audits.expire(key => key.startsWith(planId))
}

export function clearShelves(shelves: Shelves): void {
  for (const shelf of Object.values(shelves)) shelf.clear()
}
