import { describeFileSandboxContract } from '../../contracts/file-sandbox.ts'
import { overlayIsPossible } from '../../support/overlay.ts'
import { makeRepository } from '../../support/repository.ts'

if (overlayIsPossible)
  describeFileSandboxContract('overlay', async files => (await makeRepository({ files })).root)
