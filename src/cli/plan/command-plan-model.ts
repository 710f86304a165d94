import { resolve } from 'node:path'
import type { StrategyView } from '../../a2a/protocol/views/strategy.ts'
import { type Command, type CommandContext, type CommandResult, done, failed, refuse } from '../command.ts'
import { messagesLines, strategyLines } from '../render/model.ts'
import { given, simpleCall } from '../simple-call.ts'

export const planMessages = simpleCall(
  '_cleveragents/plan/message/list',
  ({ given: typed }) => ({
    plan_id: typed.one('plan'),
    ...given('decision_id', typed.maybe('decision')),
    ...given('limit', typed.number('limit')),
  }),
  messagesLines,
)

/** Shows the strategy; edited, it is handed back with the digest of what was shown. */
export const planStrategy: Command = async context => {
  const { given: typed, connect } = context
  const client = await connect()
  const plan_id = typed.one('plan')
  const shown = await client.call('_cleveragents/plan/strategy/show', { plan_id })
  if (!shown.ok) return failed(shown.failure)
  if (!typed.has('edit') && typed.maybe('file') === undefined) return done(shown.value, strategyLines)
  const edited = await editedText(context, shown.value)
  if ('kind' in edited) return edited
  const { digest } = shown.value
  const taken = await client.call('_cleveragents/plan/strategy/edit', { plan_id, text: edited.text, digest })
  if (!taken.ok) return failed(taken.failure)
  const isChanged = taken.value.revision !== shown.value.revision
  const text = isChanged
    ? 'The question before Execute is asked anew, about this revision.'
    : 'Nothing was changed.'
  return done(taken.value, strategyLines, { messages: [{ level: 'info', text }] })
}

/** From a file, or from the person's own editor. */
async function editedText(
  { given: typed, host, folder }: CommandContext,
  { text }: StrategyView,
): Promise<{ readonly text: string } | CommandResult> {
  const file = typed.maybe('file')
  if (file !== undefined) {
    const read = await host.readFile(resolve(folder, file))
    return read.ok ? { text: read.value } : refuse(read.errorType, read.message, { file })
  }
  if (host.stdin.isTTY !== true || host.stdout.isTTY !== true)
    return refuse('invalid_input', 'An editor needs a terminal. Give the edited strategy with --file FILE.')
  const edited = await host.editText(text)
  return edited.kind === 'text' ? { text: edited.text } : refuse('not_available', edited.message)
}
