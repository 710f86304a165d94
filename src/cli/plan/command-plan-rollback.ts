import type { CallResult } from '../../a2a/client/rpc-failure.ts'
import type { RollbackView } from '../../a2a/protocol/views/rollback.ts'
import { type Command, type CommandContext, type CommandResult, done, failed, refuse } from '../command.ts'
import { cleaned } from '../render/clean.ts'
import { rollbackLines } from '../render/rollback.ts'
import { given } from '../simple-call.ts'
import { planEnd } from './plan-outcome.ts'

/** Preview, question, rollback: the confirmation holds for what was shown and for nothing else. */
export const planRollback: Command = context => {
  const { given: typed } = context
  const request = { plan_id: typed.one('plan'), ...given('checkpoint_id', typed.maybe('checkpoint')) }
  return rollBack(context, async (client, more) => {
    // The checkpoint that was shown, even where "the last one" is another by now.
    const shown = more.shown ? { checkpoint_id: more.shown.checkpoint.checkpoint_id } : {}
    return client.call('_cleveragents/plan/rollback', { ...request, ...shown, ...more.with })
  })
}

export const planUndo: Command = context => {
  const request = { plan_id: context.given.one('plan') }
  return rollBack(context, (client, more) =>
    client.call('_cleveragents/plan/undo', { ...request, ...more.with }),
  )
}

type Client = Awaited<ReturnType<CommandContext['connect']>>

/** The preview, and then what it showed. */
interface Asked {
  readonly with: { readonly dry_run: true } | { readonly digest: string }
  readonly shown: RollbackView | null
}

async function rollBack(
  context: CommandContext,
  call: (client: Client, asked: Asked) => Promise<CallResult<RollbackView>>,
): Promise<CommandResult> {
  const client = await context.connect()
  const preview = await call(client, { with: { dry_run: true }, shown: null })
  if (!preview.ok) return failed(preview.failure)
  if (context.given.has('dry-run')) return done(preview.value, rollbackLines)
  const refusal = await confirmed(context, preview.value)
  if (refusal) return refusal
  const { digest } = preview.value.impact
  const rolled = await call(client, { with: { digest }, shown: preview.value })
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
