import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startBackend } from '../../support/backend.ts'

describe('the diagnostics', () => {
  it('name a setting that cannot be read, with what it may be', async () => {
    const backend = await startBackend()
    const before = await backend.call('_cleveragents/diagnostics/run', {})
    expect(before.checks.find(check => check.name === 'settings')?.status).toBe('ok')
    await writeFile(join(backend.dataDir, 'config.yaml'), 'sandbox:\n  confinement: requierd\n')
    const after = await backend.call('_cleveragents/diagnostics/run', {})
    const settings = after.checks.find(check => check.name === 'settings')
    expect([after.status, settings?.status]).toEqual(['error', 'error'])
    expect(settings?.message).toContain('required')
  })

  it('say whether the folder can be worked on', async () => {
    const backend = await startBackend()
    const run = await backend.call('_cleveragents/diagnostics/run', { folder: backend.dataDir })
    const folder = run.checks.find(check => check.name === 'folder')
    expect(folder).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('not in a git repository'),
    })
  })
})
