import { type Failure, refuse } from '../../domain/failure.ts'
import { errorCode } from '../error-code.ts'

/** The refusal behind an error of the file system that a user or model can understand; null for everything else. */
export function fsFailure(error: unknown): Failure | null {
  const path = error instanceof Error && 'path' in error ? shownPath(error.path) : ''
  switch (errorCode(error)) {
    case 'ENOENT':
      return refuse('not_found', `There is no such file or folder${path}.`).failure
    case 'ENOTDIR':
      return refuse('not_found', `A part of the path is a file, not a folder${path}.`).failure
    case 'ELOOP':
      return refuse('invalid_input', `The path leads through a link${path}.`).failure
    case 'ENAMETOOLONG':
      return refuse('invalid_input', `The path is too long for this file system${path}.`).failure
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return refuse('step_failed', `The file system does not permit this${path}.`).failure
    case 'ENOSPC':
    case 'EDQUOT':
      return refuse('disk_full', 'The disk is full; free some space and try again.').failure
    default:
      return null
  }
}

function shownPath(path: unknown): string {
  const text = path instanceof Uint8Array ? Buffer.from(path).toString() : String(path ?? '')
  // Paths through a handle name a number of our own process, which says nothing to anyone.
  return text === '' || text.startsWith('/proc/self/fd/') ? '' : `: ${text}`
}
