import { type Result, refuse } from '../../domain/failure.ts'
import { noneNamed } from '../../domain/nearest.ts'
import { trustStanding } from '../../domain/trust.ts'
import type { ProjectDetails } from '../backend/project.ts'
import type { Project, SetUp } from '../ports/project.ts'
import type { Ports } from '../ports.ts'

/** A registered project by name, else the folder of that path, which registers itself on first use. */
export async function findProject(ports: Ports, nameOrFolder: string): Promise<Result<Project>> {
  const { projects } = ports.store
  const named = projects.find(nameOrFolder) ?? projects.find(`local/${nameOrFolder}`)
  if (named) return { ok: true, value: named }
  if (!looksLikeFolder(nameOrFolder)) {
    const known = projects.list().map(project => project.name)
    return refuse('not_found', noneNamed('project', nameOrFolder, known), {
      project: nameOrFolder,
    })
  }
  return registerFolder(ports, nameOrFolder, null)
}

/** Names have no leading slash or dot; folders are sent as absolute paths by every client. */
function looksLikeFolder(text: string): boolean {
  return text.startsWith('/') || text.startsWith('.') || /^[A-Za-z]:[\\/]/.test(text)
}

/** One row a folder: `local/<folder>`, a second folder of the same name becomes `local/<folder>-2`. */
export async function registerFolder(
  ports: Ports,
  folder: string,
  name: string | null,
): Promise<Result<Project>> {
  const facts = await ports.inspector.inspect(folder)
  if (!facts.ok) return facts
  return ports.store.transaction(() => {
    const known = ports.store.projects.findByRoot(facts.value.root)
    if (known) return { ok: true, value: known }
    const wanted = name ?? `local/${nameOf(facts.value.root)}`
    if (name && ports.store.projects.find(name)) {
      return refuse('already_exists', `There is already a project ${name}; choose another name.`, { name })
    }
    const project: Project = {
      name: freeName(ports, wanted.includes('/') ? wanted : `local/${wanted}`),
      root: facts.value.root,
      resource: facts.value.resource,
      trusted: false,
      trustAsked: false,
      trustedList: null,
      automationProfile: null,
      setUp: null,
    }
    ports.store.projects.put(project)
    return { ok: true, value: project }
  })
}

/** After the folder, in characters that can be typed and that cannot pass for something else in a list. */
function nameOf(path: string): string {
  const folder = path.split('/').findLast(part => part !== '') ?? 'root'
  return folder.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^-+|-+$/g, '') || 'folder'
}

function freeName(ports: Ports, wanted: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`
    if (!ports.store.projects.find(name)) return name
  }
}

export async function projectDetails(ports: Ports, project: Project): Promise<Result<ProjectDetails>> {
  const facts = await ports.inspector.inspect(project.root)
  if (!facts.ok) return facts
  const brief = await ports.inspector.brief(project)
  const wouldRun = await ports.inspector.wouldRun(project)
  return {
    ok: true,
    value: {
      project,
      resources: ports.store.resources.listByProject(project.name).map(({ name }) => name),
      facts: facts.value,
      languages: brief.languages,
      checks: brief.checks,
      wouldRun,
      trust: trustStanding(project, wouldRun),
      trustDigest: ports.digest(JSON.stringify(wouldRun)),
    },
  }
}

/** It runs in the sandbox of every plan that is carried out from then on, where the folder is trusted. */
export async function setSetUp(
  ports: Ports,
  nameOrFolder: string,
  setUp: SetUp | null,
): Promise<Result<ProjectDetails>> {
  if (setUp?.command.trim() === '')
    return refuse('invalid_input', 'The set-up step needs a command, e.g. npm ci.')
  const project = await findProject(ports, nameOrFolder)
  if (!project.ok) return project
  return projectDetails(ports, changeProject(ports, project.value, { setUp }))
}

/** Changes the row as it is by now: what others wrote since it was read stays. */
export function changeProject({ store }: Ports, read: Project, changes: Partial<Project>): Project {
  return store.transaction(() => {
    const changed = { ...(store.projects.find(read.name) ?? read), ...changes }
    store.projects.put(changed)
    return changed
  })
}
