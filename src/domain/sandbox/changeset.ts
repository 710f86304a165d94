import { covers, type RelPath } from './rel-path.ts'

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

/** Whether a path names this file: by its name, by the one it had before, or as a folder above either. */
export function isNamedBy(file: Pick<ChangedFile, 'path' | 'oldPath'>, path: RelPath): boolean {
  return namesOf(file).some(name => covers(path, name))
}

/** The files that can be applied although these paths cannot: whatever is neither one of them, above nor below one. */
export function apartFrom(files: readonly ChangedFile[], paths: readonly RelPath[]): ChangedFile[] {
  const isNear = (file: ChangedFile) => (path: RelPath) =>
    isNamedBy(file, path) || namesOf(file).some(name => covers(name, path))
  return files.filter(file => !paths.some(isNear(file)))
}

/** Its name, and the one it had before. */
export function namesOf({ path, oldPath }: Pick<ChangedFile, 'path' | 'oldPath'>): RelPath[] {
  return oldPath === null ? [path] : [path, oldPath]
}
