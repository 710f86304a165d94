import { type Result, refuse } from '../../domain/failure.ts'
import { type TrustStanding, trustStanding } from '../../domain/trust.ts'
import type { ProjectDetails } from '../backend/project.ts'
import type { Project } from '../ports/project.ts'
import type { Ports } from '../ports.ts'
import { changeProject, findProject, projectDetails } from './find-project.ts'

/** How it stands with the trust in a folder as the folder is now. Looked up at every step, so a no takes effect there. */
export async function standingOf(ports: Ports, project: Project): Promise<TrustStanding> {
  if (!project.trusted) return trustStanding(project, [])
  return trustStanding(project, await ports.inspector.wouldRun(project))
}

/**
 * Lets what the folder declares run: a person's explicit word about this one folder and about what is listed for it
 * now. With the digest of a list, the word is for that list and no other.
 */
export async function giveTrust(
  ports: Ports,
  nameOrFolder: string,
  digest: string | null,
): Promise<Result<ProjectDetails>> {
  const project = await findProject(ports, nameOrFolder)
  if (!project.ok) return project
  const listed = await ports.inspector.wouldRun(project.value)
  if (digest !== null && digest !== ports.digest(JSON.stringify(listed)))
    return refuse(
      'stale_answer',
      `What ${project.value.root} would run has changed while you looked at it. Look again: agents project trust ${project.value.name}`,
      { project: project.value.name },
    )
  return save(ports, project.value, { trusted: true, trustedList: listed })
}

/** From the next step on nothing of the folder's own runs, in plans that run already too. */
export async function revokeTrust(ports: Ports, nameOrFolder: string): Promise<Result<ProjectDetails>> {
  const project = await findProject(ports, nameOrFolder)
  if (!project.ok) return project
  return save(ports, project.value, { trusted: false, trustedList: null })
}

function save(
  ports: Ports,
  looked: Project,
  word: Pick<Project, 'trusted' | 'trustedList'>,
): Promise<Result<ProjectDetails>> {
  return projectDetails(ports, changeProject(ports, looked, { ...word, trustAsked: true }))
}
