import { type Command, done, failed, refuse } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { planLines } from '../render/plan.ts'
import { given } from '../simple-call.ts'
import { followPlan } from './follow-plan.ts'
import { runInForeground, unsettled } from './plan-outcome.ts'

export const planExecute: Command = context =>
  runInForeground(context, client =>
    client.call('_cleveragents/plan/execute', { plan_id: context.given.one('plan') }),
  )

export const planApply: Command = async context => {
  const { given: typed } = context
  if (typed.maybe('hunks') !== undefined)
    return refuse(
      'not_available',
      'plan apply --hunks is not available yet; apply all of the changes, or reject.',
    )
  const only = typed.many('only')
  return runInForeground(context, client =>
    client.call('_cleveragents/plan/apply', {
      plan_id: typed.one('plan'),
      ...given('only', only.length > 0 ? [...only] : undefined),
      ...given('digest', typed.maybe('digest')),
    }),
  )
}

export const planResume: Command = context =>
  runInForeground(context, client =>
    client.call('_cleveragents/plan/resume', { plan_id: context.given.one('plan') }),
  )

export const planPrompt: Command = context =>
  runInForeground(context, client =>
    client.call('_cleveragents/plan/prompt', {
      plan_id: context.given.one('plan'),
      guidance: context.given.one('guidance'),
    }),
  )

/** Done when the plan stands still, whatever it was about to become. */
export const planPause: Command = async context => {
  const client = await context.connect()
  const followed = await followPlan(
    context,
    () => client.call('_cleveragents/plan/pause', { plan_id: context.given.one('plan') }),
    plan => plan.plan_id,
  )
  if (followed.kind !== 'settled') return unsettled(followed)
  const { plan } = followed
  if (plan.state === 'paused') return done(plan, planLines)
  const text = `Nothing is left to pause: ${plan.name} is ${plan.state}.`
  return done(plan, planLines, { messages: [{ level: 'warn', text }] })
}

export const planCancel: Command = async context => {
  const client = await context.connect()
  const { given: typed } = context
  const cancelled = await client.call('_cleveragents/plan/cancel', {
    plan_id: typed.one('plan'),
    wait: true,
    ...given('reason', typed.maybe('reason')),
  })
  if (!cancelled.ok) return failed(cancelled.failure)
  const isCancelled = cancelled.value.state === 'cancelled'
  return done(cancelled.value, planLines, { exitCode: isCancelled ? exitCodes.done : exitCodes.failed })
}
