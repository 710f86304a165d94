import { isAbsolute, resolve } from 'node:path'
import { type Command, type CommandContext, refuse } from '../command.ts'
import { given } from '../simple-call.ts'
import { runInForeground } from './plan-outcome.ts'

export const planUse: Command = async context => {
  const { given: typed } = context
  if (typed.has('detach')) return refuse('not_available', 'plan use --detach is not available yet.')
  const args = readArguments(typed.many('arg'))
  if (!args.ok) return refuse('invalid_input', args.message, { argument: args.text })
  return runInForeground(context, client =>
    client.call('_cleveragents/plan/use', {
      action_name: typed.one('action'),
      projects: typed.many('project').map(project => projectRef(project, context)),
      folder: context.folder,
      args: args.values,
      invariants: [...typed.many('invariant')],
      trust: context.isTrusting,
      ...given('automation_profile', typed.maybe('automation-profile')),
      ...given('name', typed.maybe('name')),
      ...given('session_id', typed.maybe('session')),
    }),
  )
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
