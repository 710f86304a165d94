import type { Result } from '../../domain/failure.ts'

export interface Settings {
  /** Refuses an unknown key, and a value that is not allowed, naming where it stands. */
  get(key: string, project: string | null): Result<Setting>
  /** Every setting, and with its problem whatever else stands in the file. */
  list(project: string | null): readonly Setting[]
  /** Writes the user's file; the setting comes back as it holds now, which a stronger source may decide. */
  set(key: string, value: unknown, project: string | null): Result<Setting>
}

export interface Setting {
  readonly key: string
  readonly value: unknown
  readonly source: 'default' | 'file' | 'project' | 'environment' | 'flag'
  readonly description: string
  /** Why what was set has no effect; null when all is well. */
  readonly problem: string | null
}
