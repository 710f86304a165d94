import { join } from 'node:path'
import { contractFiles, describeSandboxContract } from '../../contracts/sandbox.ts'
import { writeFiles } from '../../support/repository.ts'
import { strategyNamed } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describeSandboxContract('filesystem_copy', async () => {
  const projectRoot = join(await temporaryFolder(), 'project')
  await writeFiles(projectRoot, contractFiles)
  return { strategy: await strategyNamed('filesystem_copy'), projectRoot }
})
