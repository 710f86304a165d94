import type { RelPath } from './rel-path.ts'

/** What differs between two states of a sandbox, one row a file. Paths are in their text form. */
export interface ChangeSet {
  /** Digest of both end states; an approval is bound to it. */
  readonly digest: string
  readonly files: readonly ChangedFile[]
}

export interface ChangedFile {
  readonly path: RelPath
  /** Set for renames only. */
  readonly oldPath: RelPath | null
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type_changed' | 'mode_changed'
  readonly additions: number
  readonly deletions: number
  readonly binary: boolean
}

export interface ChangeCounts {
  readonly files: number
  readonly additions: number
  readonly deletions: number
}

export function countChanges(files: readonly ChangedFile[]): ChangeCounts {
  return {
    files: files.length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  }
}
