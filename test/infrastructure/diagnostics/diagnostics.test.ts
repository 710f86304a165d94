import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startBackend } from '../../support/backend.ts'
import { makeRepository } from '../../support/repository.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

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

  it('say what holds for commands, which sandboxes there are for a folder, and what was left behind', async () => {
    const backend = await startBackend()
    const { root } = await makeRepository()
    await mkdir(join(backend.dataDir, 'plans/01JZZZZZZZZZZZZZZZZZZZZZZZ'), { recursive: true })
    const { checks } = await backend.call('_cleveragents/diagnostics/run', { folder: root })
    const found = new Map(checks.map(check => [check.name, check]))
    expect(found.get('confinement')?.message).toMatch(/^(bubblewrap|NONE)/)
    expect(found.get('user namespaces')?.status).toBe('info')
    expect(found.get('commands')?.message).toMatch(/^run as /)
    expect(found.get('copies')?.message).toMatch(/share blocks|full size/)
    expect(found.get('sandbox git_worktree')?.message).toBe('can be had for this folder')
    expect(found.get('leftovers')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('01JZZZZZZZZZZZZZZZZZZZZZZZ'),
      remedy: expect.stringContaining('by hand'),
    })
    expect(found.get('folder')?.message).toBe(`${root}, branch main`)
  })

  it('name what comes nearest where a sandbox cannot be had', async () => {
    const backend = await startBackend()
    const { checks } = await backend.call('_cleveragents/diagnostics/run', {
      folder: await temporaryFolder(),
    })
    const git = checks.find(check => check.name === 'sandbox git_worktree')
    expect(git).toMatchObject({
      message: expect.stringMatching(/^cannot be had: /),
      remedy: 'What comes nearest: --sandbox filesystem_copy',
    })
  })
})
