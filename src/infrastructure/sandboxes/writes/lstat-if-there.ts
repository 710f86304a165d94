import { type BigIntStats, lstatSync, type Stats } from 'node:fs'
import { isNothingThere } from '../../error-code.ts'

/**
 * What stands at a path; undefined where nothing does, also because a file, or a link that leads to itself, stands where
 * a folder above it would be.
 */
export function lstatIfThere(path: Buffer | string): Stats | undefined {
  return ifThere(() => lstatSync(path))
}

/** The same to the last nanosecond. */
export function exactLstatIfThere(path: Buffer | string): BigIntStats | undefined {
  return ifThere(() => lstatSync(path, { bigint: true }))
}

/** Undefined where what should be looked at is gone, or was never there. */
export function ifThere<Value>(look: () => Value): Value | undefined {
  try {
    return look()
  } catch (error) {
    if (isNothingThere(error)) return undefined
    throw error
  }
}
