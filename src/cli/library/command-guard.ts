import { type Command, done, failed } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { guardTestLines } from '../render/guard.ts'
import { given } from '../simple-call.ts'

const exitCodeOf = {
  allowed: exitCodes.done,
  asked: exitCodes.gateWaits,
  refused: exitCodes.denied,
} as const

/** Its exit code is the verdict, so that a script can ask. */
export const guardTest: Command = async context => {
  const { given: typed, folder } = context
  const client = await context.connect()
  const tested = await client.call('_cleveragents/guard/test', {
    command: typed.one('command'),
    folder,
    ...given('profile', typed.maybe('profile')),
    ...given('plan_id', typed.maybe('plan')),
  })
  if (!tested.ok) return failed(tested.failure)
  const messages = tested.value.warnings.map(text => ({ level: 'warn', text }) as const)
  return done(tested.value, guardTestLines, { exitCode: exitCodeOf[tested.value.verdict], messages })
}
