import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlanId } from '../../domain/ids.ts'
import type { Resource } from '../../domain/resource.ts'
import { planFolder } from './store/plan-folder.ts'

/** Where the states of one database lie that belong to sandboxes before the present one. */
export interface EarlierDatabases {
  /** Their folders, oldest first. */
  list(planId: PlanId): string[]
  /** In one move, so that nobody finds half of it there. */
  putAside(planId: PlanId, folder: string): Promise<void>
  remove(planId: PlanId): Promise<void>
}

/** They lie beside the stores of files that were put aside, and go with them. */
export function earlierDatabases(stateDir: string, { resourceId }: Resource): EarlierDatabases {
  const placeOf = (planId: PlanId) => join(planFolder(stateDir, planId, '').earlier, 'databases', resourceId)
  return {
    list: planId =>
      namesIn(placeOf(planId))
        .sort((a, b) => Number(a) - Number(b))
        .map(name => join(placeOf(planId), name)),
    putAside: async (planId, folder) => {
      if (!existsSync(folder)) return
      const place = placeOf(planId)
      await mkdir(place, { recursive: true })
      const aside = join(place, String(namesIn(place).length))
      await rename(folder, aside)
      // The copy that the plan worked on is no state.
      await rm(join(aside, 'work'), { recursive: true, force: true })
    },
    remove: planId => rm(placeOf(planId), { recursive: true, force: true }),
  }
}

function namesIn(place: string): string[] {
  return existsSync(place) ? readdirSync(place) : []
}
