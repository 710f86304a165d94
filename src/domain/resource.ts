/** What a project works with beside its folder. A resource may belong to several projects and is owned by none. */
import { type Result, refuse } from './failure.ts'
import type { ResourceId } from './ids.ts'

export const resourceTypes = ['sqlite', 'postgresql'] as const
export type ResourceType = (typeof resourceTypes)[number]

/** copy: the plan works on a copy that survives a crash. transaction: on the database itself, in one open transaction. */
export const resourceModes = ['copy', 'transaction'] as const
export type ResourceMode = (typeof resourceModes)[number]

export interface Resource {
  readonly resourceId: ResourceId
  /** Its tables are shown as `NAME/table`, so it is one plain word. */
  readonly name: string
  readonly type: ResourceType
  /** The absolute path of a SQLite file, or the URL of a PostgreSQL database without its password. */
  readonly location: string
  readonly mode: ResourceMode
  readonly createdAt: string
}

export function parseResourceName(text: string): Result<string> {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return { ok: true, value: text }
  return refuse(
    'invalid_input',
    `${JSON.stringify(text)} is not a resource name: write letters, digits, dots, dashes and underscores, at most 64.`,
    { name: text },
  )
}

/** The modes a type can have, the usual one first. */
export function modesOf(type: ResourceType): readonly [ResourceMode, ...ResourceMode[]] {
  return type === 'sqlite' ? ['copy', 'transaction'] : ['transaction']
}
