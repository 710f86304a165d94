import type { RollbackView } from '../../a2a/protocol/views.ts'
import { type Command, type CommandContext, type CommandResult, done, failed, refuse } from '../command.ts'
import { cleaned } from '../render/clean.ts'
import { rollbackLines } from '../render/rollback.ts'
import { given } from '../simple-call.ts'
import { planEnd } from './plan-outcome.ts'

/** Preview, question, rollback: the confirmation holds for what was shown and for nothing else. */
export const planRollback: Command = async context => {
  const { given: typed } = context
  const request = {
    plan_id: typed.one('plan'),
    ...given('checkpoint_id', typed.maybe('checkpoint')),
  }
  const client = await context.connect()
  const preview = await client.call('_cleveragents/plan/rollback', { ...request, dry_run: true })
  if (!preview.ok) return failed(preview.failure)
  if (typed.has('dry-run')) return done(preview.value, rollbackLines)
  const refusal = await confirmed(context, preview.value)
  if (refusal) return refusal
  // The checkpoint that was shown, even where "the last one" is another by now.
  const { checkpoint, impact } = preview.value
  const rolled = await client.call('_cleveragents/plan/rollback', {
    ...request,
    checkpoint_id: checkpoint.checkpoint_id,
    digest: impact.digest,
  })
  if (!rolled.ok) return failed(rolled.failure)
  return done(rolled.value, rollbackLines, planEnd(rolled.value.plan))
}

async function confirmed(context: CommandContext, preview: RollbackView): Promise<CommandResult | null> {
  for (const line of rollbackLines(cleaned(preview), context.aside)) context.tell(line)
  if (context.saysYes) return null
  const answer = await context.ask('Roll back? [y/N] ')
  if (answer === null)
    return refuse(
      'invalid_input',
      'A rollback needs a yes. Look at it with --dry-run, then repeat it with --yes.',
    )
  return /^y(es)?$/i.test(answer.trim())
    ? null
    : refuse('interrupted', 'Not rolled back: nothing was changed.')
}
