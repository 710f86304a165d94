import { closeSync, constants, openSync, readSync } from 'node:fs'

/** The first bytes of a file, enough to tell of what kind it is; nothing where it cannot be read. */
export function readStart(file: Buffer): Buffer {
  try {
    const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const start = Buffer.alloc(128)
      return start.subarray(0, readSync(opened, start))
    } finally {
      closeSync(opened)
    }
  } catch {
    return Buffer.alloc(0)
  }
}
