import type { Result } from '../../domain/failure.ts'
import type { Resource, ResourceType } from '../../domain/resource.ts'

export interface ResourceRepository {
  put(resource: Resource): void
  find(name: string): Resource | null
  list(): Resource[]
  remove(resource: Resource): void
  /** Harmless when repeated. */
  link(projectName: string, resource: Resource): void
  unlink(projectName: string, resource: Resource): void
  listByProject(projectName: string): Resource[]
  /** Names of the projects it is linked to. */
  projectsOf(resource: Resource): string[]
}

/** Looks whether a place holds a database of that type, and names it for good. Passwords are refused, never kept. */
export interface ResourceInspector {
  inspect(type: ResourceType, location: string): Promise<Result<string>>
  /** Why it cannot be reached now, in one sentence; null when it can. Whether it may be read is another matter. */
  reach(resource: Resource): Promise<string | null>
}
