/** The code that Node puts on an error; errors of another vm context are no instances of ours. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** Also where a file, or a link that leads to itself, stands where a folder above it would be. */
export function isNothingThere(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')
}

/** It is there, and not for us to read. */
export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(errorCode(error) ?? '')
}
