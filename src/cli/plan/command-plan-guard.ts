import type { CallResult } from '../../a2a/client/rpc-failure.ts'
import type { GuardsView } from '../../a2a/protocol/views/guard.ts'
import { type Command, type CommandContext, type CommandResult, done, failed, refuse } from '../command.ts'
import { cleaned } from '../render/clean.ts'
import { guardsLines } from '../render/guard.ts'
import { given, simpleCall } from '../simple-call.ts'

export const planGuardShow = simpleCall(
  '_cleveragents/plan/guard/show',
  ({ given: typed }) => ({ plan_id: typed.one('plan') }),
  guardsLines,
)

export const planGuardSet: Command = async context => {
  const { given: typed } = context
  const calls = limit(typed.maybe('max-calls'))
  const cost = limit(typed.maybe('max-cost'))
  const writes = yesOrNo(typed.maybe('approve-writes'))
  const apply = yesOrNo(typed.maybe('approve-apply'))
  const allow = typed.many('allow')
  if (calls === 'unreadable' || cost === 'unreadable')
    return refuse('invalid_input', '--max-calls and --max-cost take a number, 0 or more, or "none".')
  const request = {
    ...given('max_tool_calls_per_step', calls),
    ...given('max_total_cost', cost),
    ...given('tool_allowlist', typed.has('allow-all') ? null : allow.length > 0 ? [...allow] : undefined),
    ...given('require_approval_for_writes', writes),
    ...given('require_approval_for_apply', apply),
  }
  if (Object.keys(request).length === 0)
    return refuse(
      'invalid_input',
      'Say what to change: --max-cost, --max-calls, --allow, --approve-writes or --approve-apply.',
    )
  return change(context, (client, more) =>
    client.call('_cleveragents/plan/guard/set', { ...request, ...more }),
  )
}

function limit(text: string | undefined): number | null | undefined | 'unreadable' {
  if (text === undefined) return undefined
  if (text === 'none') return null
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) && value >= 0 ? value : 'unreadable'
}

function yesOrNo(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'yes'
}

export const planGuardDenylistAdd: Command = context => {
  const entries = [...context.given.many('rule')]
  return change(context, (client, more) =>
    client.call('_cleveragents/plan/guard/denylist/add', { entries, ...more }),
  )
}

export const planGuardDenylistRemove: Command = context => {
  const entries = [...context.given.many('rule')]
  return change(context, (client, more) =>
    client.call('_cleveragents/plan/guard/denylist/remove', { entries, ...more }),
  )
}

type Client = Awaited<ReturnType<CommandContext['connect']>>

interface Asked {
  readonly plan_id: string
  readonly reason?: string
  readonly dry_run?: boolean
}

/** What loosens a guard is shown and asked about first; to tighten needs no question. */
async function change(
  context: CommandContext,
  call: (client: Client, more: Asked) => Promise<CallResult<GuardsView>>,
): Promise<CommandResult> {
  const { given: typed } = context
  const client = await context.connect()
  const asked = { plan_id: typed.one('plan'), ...given('reason', typed.maybe('reason')) }
  const preview = await call(client, { ...asked, dry_run: true })
  if (!preview.ok) return failed(preview.failure)
  const refusal = preview.value.loosened.length > 0 ? await confirmed(context, preview.value) : null
  if (refusal) return refusal
  const changed = await call(client, asked)
  if (!changed.ok) return failed(changed.failure)
  const messages = changed.value.warnings.map(text => ({ level: 'warn', text }) as const)
  return done(changed.value, guardsLines, { messages })
}

async function confirmed(context: CommandContext, preview: GuardsView): Promise<CommandResult | null> {
  const { loosened, plan_name } = cleaned(preview)
  if (context.given.maybe('reason') === undefined)
    return refuse(
      'invalid_input',
      `This loosens the guards of ${plan_name}: ${loosened.join('; ')}. Say why, with --reason TEXT.`,
    )
  context.tell(`This loosens the guards of ${plan_name}:`)
  for (const words of loosened) context.tell(`  ${words}`)
  if (context.saysYes) return null
  const answer = await context.ask('Loosen them? [y/N] ')
  if (answer === null)
    return refuse('invalid_input', 'To loosen guards needs a yes of a person: repeat it with --yes.')
  return /^y(es)?$/i.test(answer.trim())
    ? null
    : refuse('interrupted', 'Not loosened: the guards are as they were.')
}
