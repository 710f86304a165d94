import { resolve } from 'node:path'
import type { Params } from '../../a2a/protocol/methods.ts'
import { type Command, type CommandContext, type CommandResult, done, failed, refuse } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import type { FileBytes } from '../host.ts'
import { planLines } from '../render/plan.ts'
import { given } from '../simple-call.ts'
import { followPlan } from './follow-plan.ts'
import { runInForeground, settledPlan, unsettled } from './plan-outcome.ts'

export const planExecute: Command = context =>
  runInForeground(context, client =>
    client.call('_cleveragents/plan/execute', { plan_id: context.given.one('plan') }),
  )

/** Applying again is harmless, and says so. */
export const planApply: Command = async context => {
  const { given: typed } = context
  const part = await chosenPart(context)
  if ('kind' in part) return part
  const client = await context.connect()
  const followed = await followPlan(
    context,
    () =>
      client.call('_cleveragents/plan/apply', {
        plan_id: typed.one('plan'),
        ...part,
        ...given('digest', typed.maybe('digest')),
      }),
    plan => plan.plan_id,
  )
  if (followed.kind === 'failed' && followed.failure.facts['applied'] === true)
    return appliedAlready(context, followed.failure.message)
  if (followed.kind !== 'settled') return unsettled(followed)
  const { started, plan } = followed
  if (started.state !== 'applied') return settledPlan(plan)
  const text = `${plan.name} is applied already; nothing was changed.`
  return { ...settledPlan(plan), messages: [{ level: 'info', text }] }
}

/** What was asked for is so; what else the plan waits for was not asked about. */
async function appliedAlready(
  { connect, given: typed }: CommandContext,
  text: string,
): Promise<CommandResult> {
  const client = await connect()
  const present = await client.call('_cleveragents/plan/status', { plan_id: typed.one('plan') })
  if (!present.ok) return failed(present.failure)
  return done(present.value, planLines, { messages: [{ level: 'info', text }] })
}

type Part = Pick<Params<'_cleveragents/plan/apply'>, 'only' | 'hunks' | 'hunks_encoding'>

/** What of the changes was asked for, as the wire has it; nothing given means all. */
async function chosenPart(context: CommandContext): Promise<Part | CommandResult> {
  const { given: typed, host, folder } = context
  const only = typed.many('only').map(asWritten)
  const file = typed.maybe('hunks')
  if (file === undefined) return only.length > 0 ? { only } : {}
  if (only.length > 0) return refuse('invalid_input', 'Give --only or --hunks, not both at once.')
  const patch = file === '-' ? await readAll(host.stdin) : await host.readBytes(resolve(folder, file))
  if (!patch.ok) return refuse(patch.errorType, patch.message, { file })
  return { hunks: Buffer.from(patch.value).toString('base64'), hunks_encoding: 'base64' }
}

/** Shells complete `src/` and `./src`; both mean the folder. */
function asWritten(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '').replace(/(?<=.)\/+$/, '')
}

async function readAll(stdin: NodeJS.ReadableStream): Promise<FileBytes> {
  const pieces: Buffer[] = []
  for await (const piece of stdin) pieces.push(Buffer.from(piece))
  return { ok: true, value: Buffer.concat(pieces) }
}

export const planUnapply: Command = context =>
  runInForeground(context, client =>
    client.call('_cleveragents/plan/unapply', {
      plan_id: context.given.one('plan'),
      ...given('note', context.given.maybe('note')),
    }),
  )

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
  const hasPaused = plan.state === 'paused' || plan.children.some(child => child.state === 'paused')
  if (hasPaused) return done(plan, planLines)
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
