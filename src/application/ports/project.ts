import type { ProjectBrief, ProjectCheck, ProjectContext } from '../../domain/actor/actor.ts'
import type { Result } from '../../domain/failure.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { FolderCommand, TrustGiven } from '../../domain/trust.ts'

/** Which files of a project its plans have met, by reading or writing them. A plan and its children count as one. */
export interface MetPathRepository {
  add(projectName: string, rootPlanId: PlanId, paths: readonly RelPath[]): void
  /** Of a plan: how many it met, and how many of them an earlier plan had met. */
  counts(rootPlanId: PlanId): { readonly paths: number; readonly known: number }
}

export interface Project extends TrustGiven {
  readonly name: string
  /** Absolute, links resolved. */
  readonly root: string
  readonly resource: 'git-checkout' | 'fs-directory'
  readonly automationProfile: string | null
  /** What fills a new sandbox with dependencies, before its first command. */
  readonly setUp: SetUp | null
}

export interface SetUp {
  readonly command: string
  /** A person allowed it the network, for all plans of the project. */
  readonly network: boolean
}

export interface ProjectRepository {
  put(project: Project): void
  find(name: string): Project | null
  findByRoot(root: string): Project | null
  list(): Project[]
}

export interface ProjectInspector {
  /** Real absolute path of an existing folder, and what it is. */
  inspect(folder: string): Promise<Result<FolderFacts>>
  /** Why a folder cannot be reached, in one sentence; null when it can. */
  reach(folder: string): Promise<string | null>
  brief(project: Project): Promise<ProjectBrief>
  /** Everything that would run because the folder, or the set-up step named for it, says so. Nothing is run. */
  wouldRun(project: Project): Promise<readonly FolderCommand[]>
  /** Why a check of that project cannot run in `root` (dependencies missing, no such program); null when it can. */
  notRunnable(root: string, check: ProjectCheck, project: string): Promise<string | null>
  /** The folder of a Python environment at the top of `root`, which names absolute paths; null where there is none. */
  virtualEnvironment(root: string): Promise<string | null>
  /** What a model is told of a project, as it lies in `root`: within `maxTokens`, and without hidden characters. */
  context(root: string, maxTokens: number): Promise<ProjectContext>
  /** A small real repository in a temporary folder with something to work on. */
  createDemo(): Promise<{ readonly folder: string }>
}

export interface FolderFacts {
  readonly root: string
  readonly resource: 'git-checkout' | 'fs-directory'
  readonly branch: string | null
}
