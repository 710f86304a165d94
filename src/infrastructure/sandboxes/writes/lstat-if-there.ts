import { lstatSync, type Stats } from 'node:fs'
import { errorCode } from '../../error-code.ts'

/**
 * What stands at a path; undefined where nothing does, also because a file, or a link that leads to itself, stands where
 * a folder above it would be.
 */
export function lstatIfThere(path: Buffer | string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (isNothingThere(error)) return undefined
    throw error
  }
}

export function isNothingThere(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')
}
