import { join } from 'node:path'
import { createSandboxes } from '../../../src/infrastructure/sandboxes/index.ts'
import { contractFiles, describeSandboxContract } from '../../contracts/sandbox.ts'
import { makeRepository, userEnvironment } from '../../support/repository.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describeSandboxContract('git_worktree', async () => {
  const repository = await makeRepository({ files: contractFiles })
  const stateDir = join(await temporaryFolder(), 'state')
  const { git_worktree } = createSandboxes({ stateDir, environment: userEnvironment() })
  if (!git_worktree) throw new Error('git_worktree is not in the list')
  return { strategy: git_worktree, projectRoot: repository.root }
})
