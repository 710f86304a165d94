import { expect, test } from 'vitest'
import { describeFileSandboxContract } from '../../contracts/file-sandbox.ts'
import { makeRepository, writeFiles } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { openSandbox } from '../../support/sandbox.ts'

describeFileSandboxContract('git_worktree', async files => (await makeRepository({ files })).root)

test('a preview of a restore names ignored files that changed since, and leaves them alone', async () => {
  const repository = await makeRepository({
    files: { '.gitignore': 'node_modules\n*.log\n', 'a.txt': 'a\n' },
  })
  await repository.write({ 'node_modules/dep/index.js': 'old\n', 'kept.log': 'old\n' })
  const sandbox = await openSandbox(repository)
  const about = (since: Date) => ({ scope: { kind: 'all' } as const, since: since.toISOString() })
  const long = new Date('2026-01-01')
  expect(expectOk(await sandbox.previewRestore(sandbox.baseline, about(long))).leftAlone).toEqual([])

  await writeFiles(sandbox.root, { 'node_modules/dep/extra.js': 'new\n', 'out.log': 'new\n' })
  const preview = expectOk(await sandbox.previewRestore(sandbox.baseline, about(long)))

  expect(preview.restored).toEqual([])
  expect(preview.leftAlone.map(each => each.path)).toEqual(['node_modules', 'out.log'])
  const afterwards = new Date(Date.now() + 1_000)
  const later = expectOk(await sandbox.previewRestore(sandbox.baseline, about(afterwards)))
  expect(later.leftAlone).toEqual([])
})
