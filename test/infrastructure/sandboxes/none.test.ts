import { describeFileSandboxContract } from '../../contracts/file-sandbox.ts'
import { makePlainFolder } from '../../support/repository.ts'

describeFileSandboxContract('none', makePlainFolder)
