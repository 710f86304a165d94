import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bytes } from '../../support/contract-files.ts'
import { makeRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { checkpoint, never, planId, strategyNamed } from '../../support/sandbox.ts'

const dig = 'n=$(printf "d%.0s" $(seq 200)); for i in $(seq 25); do mkdir $n; cd $n; done; echo deep > file'

test.each(['git_worktree', 'filesystem_copy'] as const)(
  'with %s, a path longer than the system takes is left out and named, and the rest works',
  async name => {
    const repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
    execFileSync('sh', ['-c', dig], { cwd: repository.root })
    try {
      const strategy = await strategyNamed(name)

      const sandbox = expectOk(await strategy.open({ planId, projectRoot: repository.root }, never))

      expect(sandbox.notices).toContainEqual(
        expect.stringMatching(/^Could not be read and are left out: d{200}\//),
      )
      expect(Object.keys(await bytes(sandbox.root))).toContain('a.txt')
      expect(await checkpoint(sandbox)).toBe(sandbox.baseline)
    } finally {
      // A removal by whole paths cannot reach it.
      execFileSync('sh', ['-c', 'rm -rf ddd*'], { cwd: join(repository.root) })
    }
  },
)
