import { basename, dirname, join } from 'node:path'
import type { PlanId } from '../../../domain/ids.ts'

/** Where everything of one plan lies, outside the project: watchers and package resolution there must not see it. */
export interface PlanFolder {
  readonly path: string
  readonly root: string
  readonly store: string
  /** The stores of sandboxes that this one took the place of: their states can be looked at, and not returned to. */
  readonly earlier: string
  /** There while an earlier sandbox is being put aside. */
  readonly renewing: string
  readonly workIndex: string
  readonly userIndex: string
  /** Indexes that live for one operation. */
  readonly scratch: string
  /** Contents waiting to be put in place, and what they replace. */
  readonly staging: string
  /** The journal of an apply that is under way or was interrupted, with what it needs. */
  readonly apply: string
  /** Written last when the sandbox is created; without it the folder is half-made. */
  readonly record: string
  /** What the sandbox has of the project that its states cannot hold; there only if there is anything. */
  readonly besides: string
  readonly owner: string
  /** There once the plan has ended and its working folder was removed. */
  readonly released: string
}

export function planFolder(stateDir: string, planId: PlanId, projectRoot: string): PlanFolder {
  const path = planPath(stateDir, planId)
  return {
    path,
    // Tools name things after their folder, so the copy keeps the project's name.
    root: join(path, 'root', basename(projectRoot) || 'project'),
    store: join(path, 'git'),
    earlier: join(path, 'earlier'),
    renewing: join(path, 'renewing'),
    workIndex: join(path, 'idx', 'work'),
    userIndex: join(path, 'idx', 'user'),
    scratch: join(path, 'idx', 'scratch'),
    staging: join(path, 'staging'),
    apply: join(path, 'apply'),
    record: join(path, 'sandbox.json'),
    besides: join(path, 'besides.json'),
    owner: join(path, 'owner.json'),
    released: join(path, 'released'),
  }
}

export function planPath(stateDir: string, planId: PlanId): string {
  return join(stateDir, 'plans', planId)
}

/** The store of states of another plan that is kept beside this one. */
export function storeBeside(folder: PlanFolder, planId: PlanId): string {
  return join(dirname(folder.path), planId, basename(folder.store))
}

/** How a folder begins in which an apply keeps things within a project, where they cannot wait in the plan's folder. */
export const HIDDEN_PLACE = '.agents-apply-'
