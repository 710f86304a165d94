import { type Result, refuse } from '../../domain/failure.ts'
import { asId } from '../../domain/ids.ts'
import { noneNamed } from '../../domain/nearest.ts'
import {
  modesOf,
  parseResourceName,
  type Resource,
  type ResourceMode,
  type ResourceType,
} from '../../domain/resource.ts'
import type { ProjectDetails, ResourceDetails } from '../backend/project.ts'
import type { Ports } from '../ports.ts'
import { findProject, projectDetails } from './find-project.ts'

export interface NewResource {
  readonly name: string
  readonly type: ResourceType
  readonly location: string
  readonly mode: ResourceMode | null
}

/** Registers a database. Nothing is opened for long and nothing in it changes. */
export async function addResource(ports: Ports, input: NewResource): Promise<Result<ResourceDetails>> {
  const name = parseResourceName(input.name)
  if (!name.ok) return name
  const modes = modesOf(input.type)
  const mode = input.mode ?? modes[0]
  if (!modes.includes(mode)) {
    return refuse(
      'invalid_input',
      `A ${input.type} database has no mode ${mode}; it has ${modes.join(' and ')}.`,
      { mode },
    )
  }
  const location = await ports.resourceInspector.inspect(input.type, input.location)
  if (!location.ok) return location
  return ports.store.transaction(() => {
    if (ports.store.resources.find(name.value))
      return refuse('already_exists', `There is already a resource ${name.value}; choose another name.`, {
        name: name.value,
      })
    const resource: Resource = {
      resourceId: asId(ports.newId()),
      name: name.value,
      type: input.type,
      location: location.value,
      mode,
      createdAt: ports.clock.now(),
    }
    ports.store.resources.put(resource)
    return { ok: true, value: details(ports, resource) }
  })
}

export function listResources(ports: Ports): ResourceDetails[] {
  return ports.store.resources.list().map(resource => details(ports, resource))
}

export function showResource(ports: Ports, name: string): Result<ResourceDetails> {
  const resource = findResource(ports, name)
  return resource.ok ? { ok: true, value: details(ports, resource.value) } : resource
}

/** Forgets it. Plans that were made with it keep what they know; the database itself is not touched. */
export function removeResource(ports: Ports, name: string): Result<ResourceDetails> {
  return ports.store.transaction(() => {
    const resource = findResource(ports, name)
    if (!resource.ok) return resource
    const found = details(ports, resource.value)
    if (found.projects.length > 0) {
      return refuse(
        'invalid_state',
        `The resource ${name} is linked to ${found.projects.join(', ')}. Unlink it first: agents project unlink-resource ${found.projects[0]} ${name}`,
        { projects: found.projects },
      )
    }
    ports.store.resources.remove(resource.value)
    return { ok: true, value: found }
  })
}

/** Plans that are made from then on work with it, or do so no more. */
export async function setLink(
  ports: Ports,
  link: { readonly project: string; readonly resource: string; readonly to: 'linked' | 'unlinked' },
): Promise<Result<ProjectDetails>> {
  const resource = findResource(ports, link.resource)
  if (!resource.ok) return resource
  const project = await findProject(ports, link.project)
  if (!project.ok) return project
  const { resources } = ports.store
  if (link.to === 'linked') resources.link(project.value.name, resource.value)
  else resources.unlink(project.value.name, resource.value)
  return projectDetails(ports, project.value)
}

function findResource(ports: Ports, name: string): Result<Resource> {
  const resource = ports.store.resources.find(name)
  if (resource) return { ok: true, value: resource }
  const known = ports.store.resources.list().map(each => each.name)
  return refuse('not_found', noneNamed('resource', name, known), { name })
}

function details(ports: Ports, resource: Resource): ResourceDetails {
  const { name: strategy, protects, doesNotProtect } = ports.sandboxes.forResource(resource)
  return {
    resource,
    projects: ports.store.resources.projectsOf(resource),
    strategy,
    protects,
    doesNotProtect,
  }
}
