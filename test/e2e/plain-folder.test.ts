import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makePlainFolder } from '../support/repository.ts'
import { agentsIn } from '../support/run-agents.ts'

const use = ['plan', 'use', 'builtin/replace-text', '--arg', 'find=colour', '--arg', 'replace=color']

it('works in a folder that git knows nothing of, from use over status and diff to apply', async () => {
  const root = await makePlainFolder({ 'a.txt': 'colour\n', 'b.txt': 'plain\n' })
  const agents = await agentsIn(root)

  const used = await agents.run(...use, '--automation-profile', 'auto')
  const status = await agents.run('plan', 'status', '@latest')
  const diff = await agents.run('plan', 'diff', '@latest')
  const before = await readFile(join(root, 'a.txt'), 'utf8')
  const applied = await agents.run('plan', 'apply', '@latest')

  expect([used.code, status.code, diff.code, applied.code]).toEqual([3, 0, 0, 0])
  expect(status.out).toMatch(/sandbox +filesystem_copy/)
  expect(status.out).toMatch(/not protected +Commands that reach outside/)
  expect(diff.out).toContain('+color')
  expect(before).toBe('colour\n')
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('color\n')
})

it('names a sandbox that cannot be had with the nearest, and works without one only where that is allowed', async () => {
  const root = await makePlainFolder({ 'a.txt': 'colour\n' })
  const agents = await agentsIn(root)

  const worktree = await agents.run(...use, '--sandbox', 'git_worktree')
  const forbidden = await agents.run(...use, '--sandbox', 'none')
  const untouched = await readFile(join(root, 'a.txt'), 'utf8')
  const allowed = await agents.run(...use, '--sandbox', 'none', '--automation-profile', 'full-auto')

  expect([worktree.code, worktree.err]).toEqual([1, expect.stringContaining('--sandbox filesystem_copy')])
  expect([forbidden.code, forbidden.err]).toEqual([1, expect.stringContaining('requires a sandbox')])
  expect(untouched).toBe('colour\n')
  expect([allowed.code, allowed.out]).toEqual([0, expect.stringContaining('nothing can be rolled back')])
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('color\n')
})
