import { contractFiles, describeSandboxContract } from '../../contracts/sandbox.ts'
import { makeRepository } from '../../support/repository.ts'
import { gitWorktreeStrategy } from '../../support/sandbox.ts'

describeSandboxContract('git_worktree', async () => {
  const repository = await makeRepository({ files: contractFiles })
  return { strategy: await gitWorktreeStrategy(), projectRoot: repository.root }
})
