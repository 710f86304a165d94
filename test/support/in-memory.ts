/**
 * Tests of use cases and of the wire ask what happens, not what a disk does: their folders lie in memory where there is
 * room, which saves a sixth of their time. Sandboxes and whole programs stay on the disk, whose ways they are about.
 */
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect } from 'vitest'

const MEMORY = '/dev/shm'
const LEAST_FREE_BYTES = 2 * 1024 ** 3

// One worker runs many files, each after this one.
const disk = process.env['TEST_DISK'] ?? tmpdir()
process.env['TEST_DISK'] = disk
const asksOnlyWhatHappens = /\/test\/(application|a2a)\//.test(expect.getState().testPath ?? '')
process.env['TMPDIR'] = asksOnlyWhatHappens && process.env['LONG'] !== '1' && hasRoom(MEMORY) ? MEMORY : disk

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= LEAST_FREE_BYTES
  } catch {
    return false
  }
}
