import { type Command, done, failed, refuse } from '../command.ts'
import { rollbackLines } from '../render/plan.ts'
import { given } from '../simple-call.ts'
import { planEnd } from './plan-outcome.ts'

export const planRollback: Command = async context => {
  const { given: typed } = context
  const client = await context.connect()
  if (!context.saysYes) {
    const answer = await context.ask(
      'Return the sandbox to that checkpoint? Later decisions are superseded. [y/N] ',
    )
    if (answer === null) return refuse('invalid_input', 'A rollback needs a yes. Repeat it with --yes.')
    if (!/^y(es)?$/i.test(answer.trim()))
      return refuse('interrupted', 'Not rolled back: nothing was changed.')
  }
  const rolled = await client.call('_cleveragents/plan/rollback', {
    plan_id: typed.one('plan'),
    ...given('checkpoint_id', typed.maybe('checkpoint')),
  })
  if (!rolled.ok) return failed(rolled.failure)
  return done(rolled.value, rollbackLines, planEnd(rolled.value.plan))
}
