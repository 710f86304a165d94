import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import type { Sandbox, SandboxStrategy } from '../../src/domain/sandbox/strategy.ts'
import { createProbe } from '../../src/infrastructure/sandboxes/overlay/probe.ts'
import { strategyNamed } from './sandbox.ts'

const reason = await whyNot()

/** Whether this machine can mount an overlay; a file whose tests need one says the reason where it cannot. */
export const overlayIsPossible = reason === null

if (reason !== null) test.skipIf(true)(`overlay cannot be had here: ${reason}`, () => {})

/** The strategy `overlay` with a state folder of its own; what is opened with it is closed when the test ends. */
export async function overlayStrategy(): Promise<SandboxStrategy & { stateDir: string }> {
  const strategy = await strategyNamed('overlay')
  const opened: Sandbox[] = []
  onTestFinished(async () => {
    for (const sandbox of opened) await sandbox.close()
  })
  return {
    ...strategy,
    async open(spec, signal) {
      const result = await strategy.open(spec, signal)
      if (result.ok) opened.push(result.value)
      return result
    },
  }
}

async function whyNot(): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'agents-test-'))
  try {
    const probe = createProbe({ stateDir: join(folder, 'state'), environment: process.env })
    const project = join(folder, 'project')
    mkdirSync(project)
    const answer = await probe(project)
    return answer.ok ? null : answer.failure.message
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
