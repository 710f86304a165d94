import type { Result } from '../../domain/failure.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Resource } from '../../domain/resource.ts'
import type { SandboxStrategy } from '../../domain/sandbox/strategy.ts'

export interface Sandboxes {
  /** Those that this program has for a folder, in the order in which they are offered. */
  list(): readonly SandboxStrategy[]
  /**
   * For the folder, together with the databases that belong to the plan. Refuses a name that it does not know, with
   * the nearest, and one that it knows and does not have.
   */
  strategy(name: string, resources?: readonly Resource[]): Result<SandboxStrategy>
  /** The way to work with a resource, and what it protects and what not. */
  forResource(resource: Resource): SandboxStrategy
  /** Whether anything of a plan's sandbox is there; opening one of which nothing is would make it anew. */
  isRecorded(planId: PlanId): boolean
  /**
   * Finishes what dead processes left undone in plan folders, and names what it removed. Never a state, nor the work of
   * a plan that has not ended, nor anything of a plan that is not known here.
   */
  sweep(isKnown: (planId: PlanId) => boolean): Promise<readonly string[]>
  /** Plan folders that belong to no known plan. They stay until a person deletes them: work may be in them. */
  listUnknown(isKnown: (planId: PlanId) => boolean): Promise<readonly string[]>
}
