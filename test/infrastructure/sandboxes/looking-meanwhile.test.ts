import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Result } from '../../../src/domain/failure.ts'
import type { Sandbox, SandboxStrategyName } from '../../../src/domain/sandbox/strategy.ts'
import { entryAt } from '../../../src/infrastructure/sandboxes/writes/target.ts'
import { startBusyWriter } from '../../support/busy-writer.ts'
import { contractFiles } from '../../support/contract-files.ts'
import { overlayIsPossible, overlayStrategy } from '../../support/overlay.ts'
import { makeRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { never, planId, strategyNamed } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const LOOKS = 3
const strategies: readonly SandboxStrategyName[] = [
  'git_worktree',
  'filesystem_copy',
  ...(overlayIsPossible ? (['overlay'] as const) : []),
]

test.each(strategies)('%s answers while programs work in the project and in the sandbox', async name => {
  const repository = await makeRepository({ files: contractFiles })
  const inProject = await startBusyWriter(repository.root)
  const strategy = await (name === 'overlay' ? overlayStrategy() : strategyNamed(name))

  const sandbox = expectOk(await strategy.open({ planId, projectRoot: repository.root }, never))
  expectOk(await sandbox.enter())
  const inSandbox = await startBusyWriter(sandbox.root)
  const answers: Result<unknown>[] = []
  for (let look = 0; look < LOOKS; look++) answers.push(...(await everyLook(sandbox)))
  await inSandbox.stop()
  await inProject.stop()

  expect(answers.filter(answer => !answer.ok)).toEqual([])
  expect(await readFile(join(sandbox.root, 'readme.md'), 'utf8')).toBe('# Project\n')
  const drifted = expectOk(await sandbox.drift(sandbox.baseline, [])).map(({ path }) => path)
  expect(drifted.filter(path => !path.includes('busy-'))).toEqual([])
  await sandbox.close()
})

test('a file is told by its name and contents whatever takes its place', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'src'))
  await startBusyWriter(folder)
  const kinds = new Set<string>()

  // A look that met nothing in its way shows nothing; how soon the writer gets its turn is the machine's affair.
  for (let look = 0; look < 3_000 || kinds.size < 2; look++) {
    const entry = await entryAt(Buffer.from(join(folder, 'busy-1.txt')), 40)
    kinds.add(entry?.mode ?? 'none')
  }

  expect(kinds.size).toBeGreaterThan(1)
})

async function everyLook(sandbox: Sandbox): Promise<Result<unknown>[]> {
  const about = { scope: { kind: 'all' }, since: '2026-01-01T00:00:00Z' } as const
  const drift = await sandbox.drift(sandbox.baseline, [])
  const preview = await sandbox.previewRestore(sandbox.baseline, about)
  const captured = await sandbox.captureProject(sandbox.baseline)
  if (!captured.ok || captured.value === null) return [drift, preview, captured]
  const changes = await sandbox.changes(sandbox.baseline, captured.value)
  const patch = await sandbox.patch(sandbox.baseline, captured.value)
  return [drift, preview, captured, changes, patch]
}
