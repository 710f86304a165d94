import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import { decodeGroupState } from '../../../domain/sandbox/group-state.ts'
import { covers, parseRelPath, type RelPath } from '../../../domain/sandbox/rel-path.ts'
import type { Origin, Sandbox, SandboxSpec } from '../../../domain/sandbox/strategy.ts'
import type { DatabaseOrigin, DatabaseSandbox } from '../../databases/database-sandbox.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import type { DatabaseStrategy } from '../transaction-rollback.ts'

/** One plan's folder and databases, opened. */
export interface Group {
  readonly folder: Sandbox
  readonly parts: readonly GroupPart[]
  /** Where an apply is written down while it runs. */
  readonly recordFile: string
}

/** One database of the group, opened once and when it is needed. */
export interface GroupPart {
  readonly strategy: DatabaseStrategy
  readonly name: string
  readonly isInside: boolean
  /** The plan has worked with it, in this process or an earlier one. */
  isUsed(): boolean
  open(): Promise<Result<DatabaseSandbox>>
  close(): Promise<void>
}

export function partOf(
  strategy: DatabaseStrategy,
  spec: SandboxSpec,
  folder: Sandbox,
  signal: AbortSignal,
): GroupPart {
  // Where the plan works in the project itself, the place is taken by the user's own.
  const isBeside = folder.root !== spec.projectRoot
  const inside =
    isBeside && strategy.resource.mode === 'copy' ? placeInside(spec.projectRoot, strategy) : null
  const inTurn = oneAtATime()
  let opened: DatabaseSandbox | null = null
  return {
    strategy,
    name: strategy.resource.name,
    isInside: inside !== null,
    isUsed: () => opened !== null || strategy.isUsed(spec.planId),
    open: () =>
      inTurn(async () => {
        if (opened) return ok(opened)
        const at = inside === null ? {} : { workFile: join(folder.root, inside) }
        const { startsFrom, ...rest } = spec
        const from = startsFrom ? { startsFrom: beginningOf(strategy, startsFrom) } : {}
        const result = await strategy.open({ ...rest, ...at, ...from }, signal)
        if (result.ok) opened = result.value
        return result
      }),
    close: async () => {
      await opened?.close()
    },
  }
}

function beginningOf({ resource }: DatabaseStrategy, { planId, state }: Origin): DatabaseOrigin {
  return { planId, state: decodeGroupState(state).databases.get(resource.resourceId) ?? null }
}

/** The databases that lie in the project, as paths of it. */
export function apartOf(projectRoot: string, databases: readonly DatabaseStrategy[]): RelPath[] {
  return databases.flatMap(each => placeInside(projectRoot, each) ?? [])
}

/** The database as a path of the project; null where it lies elsewhere or is worked on directly. */
function placeInside(projectRoot: string, { resource }: DatabaseStrategy): RelPath | null {
  if (resource.type !== 'sqlite') return null
  const path = relative(projectRoot, resource.location)
  if (path === '' || path.startsWith('..') || isAbsolute(path)) return null
  const parsed = parseRelPath(path)
  return parsed.ok ? parsed.value : null
}

/** A path means the database where it begins with its name, and the folder too where that has such an entry. */
export function ofFolder(
  { folder, parts }: Pick<Group, 'folder' | 'parts'>,
  paths: readonly RelPath[],
): RelPath[] {
  return paths.filter(path => {
    const part = parts.find(({ name }) => covers(name as RelPath, path))
    return part === undefined || existsSync(join(folder.root, part.name))
  })
}
