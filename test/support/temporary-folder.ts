import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh folder that is removed when the running test ends. Call it inside a test or a `beforeEach`. */
export async function temporaryFolder(prefix = join(tmpdir(), 'agents-test-')): Promise<string> {
  const folder = await realpath(await mkdtemp(prefix))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
