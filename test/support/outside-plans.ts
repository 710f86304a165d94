/** Tests may be run by a command of a plan. What they start is a person's all the same, and not that plan's. */
import { markName } from '../../src/infrastructure/system/supervised.ts'

Reflect.deleteProperty(process.env, markName)
