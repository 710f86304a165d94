import { isAbsolute, resolve } from 'node:path'
import type { CallResult } from '../../a2a/client/rpc-failure.ts'
import type { Params } from '../../a2a/protocol/methods.ts'
import type { PlanView } from '../../a2a/protocol/views/plan.ts'
import { type Command, type CommandContext, type CommandResult, done, failed, refuse } from '../command.ts'
import type { CliClient } from '../host.ts'
import { askForTrust } from '../library/ask-for-trust.ts'
import { planLines } from '../render/plan.ts'
import { given } from '../simple-call.ts'
import { runInForeground } from './plan-outcome.ts'
import { whatWaits } from './what-waits.ts'

export const planUse: Command = async context => {
  const { given: typed } = context
  const args = readArguments(typed.many('arg'))
  if (!args.ok) return refuse('invalid_input', args.message, { argument: args.text })
  const wanted = {
    action_name: typed.one('action'),
    projects: typed.many('project').map(project => projectRef(project, context)),
    folder: context.folder,
    args: args.values,
    invariants: [...typed.many('invariant')],
    trust: context.isTrusting,
    attended: context.host.stdin.isTTY === true && context.host.stderr.isTTY === true,
    ...given('automation_profile', typed.maybe('automation-profile')),
    ...given('sandbox', typed.maybe('sandbox')),
    ...given('max_cost', typed.number('max-cost')),
    ...given('max_steps', typed.number('max-steps')),
    ...given('max_seconds', typed.number('max-seconds')),
    ...given('max_tokens', typed.number('max-tokens')),
    ...given('name', typed.maybe('name')),
    ...given('session_id', typed.maybe('session')),
  }
  if (typed.has('detach')) return runApart(context, wanted)
  const waits = await whatWaits(context, await context.connect(), wanted)
  if (waits) return waits
  if (!context.isTrusting) await askForTrust(context, wanted.projects[0] ?? context.folder)
  return runInForeground(context, client => client.call('_cleveragents/plan/use', wanted))
}

/** The plan runs in a process of its own, which ends when nothing runs there any more. */
async function runApart(
  context: CommandContext,
  wanted: Params<'_cleveragents/plan/use'> & { readonly folder: string; readonly projects: string[] },
): Promise<CommandResult> {
  const apart = await context.host.connectApart(context.screen)
  const waits = await whatWaits(context, apart.client, wanted)
  if (waits) {
    await apart.close()
    return waits
  }
  const used = await startKept(apart.client, wanted)
  if (!used.ok) {
    await apart.close()
    return failed(used.failure)
  }
  apart.leave()
  return done(used.value, planLines)
}

async function startKept(
  client: CliClient,
  wanted: Params<'_cleveragents/plan/use'>,
): Promise<CallResult<PlanView>> {
  const used = await client.call('_cleveragents/plan/use', wanted)
  if (!used.ok) return used
  const kept = await client.call('_cleveragents/backend/keep-running', {})
  return kept.ok ? used : kept
}

/** A folder is meant from where the command acts, not from where the backend happens to run. */
export function projectRef(text: string, { folder }: Pick<CommandContext, 'folder'>): string {
  return isAbsolute(text) || /^\.{1,2}(\/|$)/.test(text) ? resolve(folder, text) : text
}

type Arguments =
  | { readonly ok: true; readonly values: Record<string, string | string[]> }
  | { readonly ok: false; readonly text: string; readonly message: string }

/** Typing is the backend's: it knows the action. A name given more than once is a list. */
function readArguments(texts: readonly string[]): Arguments {
  const pairs: [string, string][] = []
  for (const text of texts) {
    const equals = text.indexOf('=')
    if (equals < 1)
      return { ok: false, text, message: `--arg ${text} is no NAME=VALUE. Write --arg NAME=VALUE.` }
    pairs.push([text.slice(0, equals), text.slice(equals + 1)])
  }
  const groups = Object.entries(Object.groupBy(pairs, ([name]) => name))
  const values = groups.map(([name, group = []]) => {
    const [first = '', ...others] = group.map(([, value]) => value)
    return [name, others.length === 0 ? first : [first, ...others]] as const
  })
  return { ok: true, values: Object.fromEntries(values) }
}
