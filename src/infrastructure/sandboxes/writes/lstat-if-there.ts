import { lstatSync, type Stats } from 'node:fs'
import { errorCode } from '../../error-code.ts'

/** What stands at a path; undefined where nothing does, also because a file stands where a folder above it would be. */
export function lstatIfThere(path: Buffer | string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}
