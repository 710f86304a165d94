/**
 * The state of a plan's sandboxes together: the folder's own, and one for each database that is not as it was when the
 * plan began with it. Without such a database it is the folder's state itself.
 */
import type { ResourceId } from '../ids.ts'
import { asId } from '../ids.ts'
import type { SandboxState } from './strategy.ts'

export interface GroupState {
  readonly folder: SandboxState
  /** Whether the files differ from those the plan began with. */
  readonly hasFiles: boolean
  readonly databases: ReadonlyMap<ResourceId, SandboxState>
}

const WITHOUT_FILES = '~'

export function encodeGroupState({ folder, hasFiles, databases }: GroupState): SandboxState {
  if (databases.size === 0) return folder
  const parts = [...databases].map(([resource, state]) => `${resource}.${state}`).sort()
  // Made of states that sandboxes gave; only groups read it apart again.
  return [`${hasFiles ? '' : WITHOUT_FILES}${folder}`, ...parts].join('+') as SandboxState
}

export function decodeGroupState(state: SandboxState): GroupState {
  const [first = '', ...parts] = state.split('+')
  const hasFiles = !first.startsWith(WITHOUT_FILES)
  const folder = (hasFiles ? first : first.slice(1)) as SandboxState
  const databases = parts.map(part => {
    const dot = part.indexOf('.')
    return [asId<ResourceId>(part.slice(0, dot)), part.slice(dot + 1) as SandboxState] as const
  })
  return { folder, hasFiles, databases: new Map(databases) }
}
