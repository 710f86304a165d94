import { describeWire } from '../contracts/wire.ts'
import { scriptedBackend } from '../support/scripted-backend.ts'
import { clientInMemory } from '../support/wire-drivers.ts'

describeWire(() => clientInMemory(scriptedBackend()))
