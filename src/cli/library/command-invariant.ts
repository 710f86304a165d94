import type { Params } from '../../a2a/protocol/methods.ts'
import { type Command, type CommandContext, done, failed, refuse } from '../command.ts'
import { projectRef } from '../plan/command-plan-use.ts'
import { effectiveLines, invariantLines, invariantsLines } from '../render/invariant.ts'
import { given, simpleCall } from '../simple-call.ts'

export const invariantAdd = simpleCall(
  '_cleveragents/invariant/add',
  context => ({
    text: context.given.one('text'),
    ...places(context),
    ...given('key', context.given.maybe('key')),
    ...given('rule', context.given.maybe('rule')),
    ...given('value', context.given.maybe('value')),
    non_overridable: context.given.has('non-overridable'),
  }),
  invariantsLines,
)

export const invariantList: Command = async context => {
  const client = await context.connect()
  const named = places(context)
  if (!context.given.has('effective')) {
    const listed = await client.call('_cleveragents/invariant/list', named)
    return listed.ok ? done(listed.value, invariantsLines) : failed(listed.failure)
  }
  const [plan, second] = named.plans ?? []
  if (second !== undefined || named.global || (named.actions ?? []).length > 0)
    return refuse('invalid_input', 'What holds is told for one plan or one project: --plan or --project.')
  const about = plan === undefined ? { project: named.project ?? context.folder } : { plan_id: plan }
  const held = await client.call('_cleveragents/invariant/effective', about)
  return held.ok ? done(held.value, effectiveLines) : failed(held.failure)
}

export const invariantRemove = simpleCall(
  '_cleveragents/invariant/remove',
  ({ given: typed }) => ({ invariant_id: typed.one('invariant') }),
  (invariant, paper) => ['Removed:', ...invariantLines(invariant, paper)],
)

function places(context: CommandContext): Params<'_cleveragents/invariant/list'> {
  const { given: typed } = context
  const project = typed.maybe('project')
  return {
    global: typed.has('global'),
    plans: [...typed.many('plan')],
    actions: [...typed.many('action')],
    ...given('project', project === undefined ? undefined : projectRef(project, context)),
  }
}
