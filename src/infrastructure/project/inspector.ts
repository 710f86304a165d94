import type { Project, ProjectInspector } from '../../application/ports/project.ts'
import type { ProjectBrief } from '../../domain/actor/actor.ts'
import { FailureError } from '../../domain/failure.ts'
import type { Git } from '../git/git.ts'
import { gatherContext } from './context/gather-context.ts'
import { createDemoRepository } from './demo-repository.ts'
import { inspectFolder, reachFolder } from './inspect-folder.ts'
import { findVirtualEnvironment } from './virtual-environment.ts'
import { wouldRun } from './would-run.ts'

export interface InspectorSurroundings {
  readonly git: Git
  readonly temporaryFolder: string
  /** Languages and declared checks of a folder; runs nothing. */
  readonly discover: (root: string) => Promise<Pick<ProjectBrief, 'languages' | 'checks'>>
  readonly notRunnable: ProjectInspector['notRunnable']
}

/** Looks at folders without running anything that they declare. */
export function createInspector({
  git,
  temporaryFolder,
  discover,
  notRunnable,
}: InspectorSurroundings): ProjectInspector {
  return {
    inspect: folder => inspectFolder(git, folder),
    reach: reachFolder,
    brief: async ({ name, root }: Project) => ({ name, root, ...(await discover(root)) }),
    wouldRun: ({ root, setUp }) => wouldRun(root, setUp?.command ?? null),
    notRunnable,
    virtualEnvironment: findVirtualEnvironment,
    context: gatherContext,
    createDemo: async () => {
      const made = await createDemoRepository(git, temporaryFolder)
      if (!made.ok) throw new FailureError(made.failure)
      return made.value
    },
  }
}
