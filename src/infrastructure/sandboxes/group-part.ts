import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from '../../domain/failure.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../databases/database-sandbox.ts'
import type { DatabaseStrategy } from './transaction-rollback.ts'

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

/** A path means the database where it begins with its name, and the folder too where that has such an entry. */
export function ofFolder(
  folder: Pick<Sandbox, 'root'>,
  parts: readonly GroupPart[],
  paths: readonly RelPath[],
): RelPath[] {
  return paths.filter(path => {
    const [first = ''] = path.split('/')
    return !parts.some(part => part.name === first) || existsSync(join(folder.root, first))
  })
}
