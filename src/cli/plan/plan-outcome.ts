import type { CallResult, RpcFailure } from '../../a2a/client/rpc-failure.ts'
import { type ErrorType, errorCodes } from '../../a2a/protocol/error-codes.ts'
import type { PlanView } from '../../a2a/protocol/views/plan.ts'
import { type CommandContext, type CommandResult, type Done, done, failed } from '../command.ts'
import { exitCodeOfFailure, exitCodes, obstacleOf } from '../exit-codes.ts'
import type { CliClient } from '../host.ts'
import { planLines } from '../render/plan.ts'
import { shortId } from '../render/words.ts'
import { type Followed, followPlan } from './follow-plan.ts'

export type Start = (client: CliClient) => Promise<CallResult<PlanView>>

/** The whole of a command that advances a plan: start, follow, and print where the plan stands. */
export async function runInForeground(context: CommandContext, start: Start): Promise<CommandResult> {
  const client = await context.connect()
  const followed = await followPlan(
    context,
    () => start(client),
    plan => plan.plan_id,
  )
  return followed.kind === 'settled' ? settledPlan(followed.plan) : unsettled(followed)
}

/** Where a plan stands, and the exit code that says the same. */
export function settledPlan(plan: PlanView): Done {
  return done(plan, planLines, planEnd(plan))
}

export function planEnd(plan: PlanView): Pick<Done, 'exitCode' | 'problem'> {
  const obstacle = obstacleOf(plan)
  if (obstacle === null) return { exitCode: exitCodes.done, problem: null }
  const exitCode = exitCodeOfFailure(obstacle)
  return { exitCode, problem: obstacle === 'gate_waits' ? null : problemOf(plan, obstacle) }
}

export function unsettled(followed: Exclude<Followed<unknown>, { kind: 'settled' }>): CommandResult {
  if (followed.kind === 'failed') return failed(followed.failure)
  const { plan } = followed
  const message =
    plan.runner === null || plan.runner.here
      ? `Interrupted: ${plan.name} pauses. Go on with: agents plan resume ${shortId(plan.plan_id)}`
      : `Interrupted: ${plan.name} goes on in process ${plan.runner.pid}. Look with: agents plan status ${shortId(plan.plan_id)}`
  return done(plan, () => [], {
    exitCode: exitCodes.interrupted,
    problem: {
      errorType: 'interrupted',
      message,
      facts: { plan_id: plan.plan_id },
      code: errorCodes.interrupted,
    },
  })
}

function problemOf(plan: PlanView, errorType: ErrorType): RpcFailure {
  const reason = plan.reason === null ? '' : `: ${plan.reason}`
  const message = `Plan ${plan.name} is ${plan.state} in ${plan.phase}${reason}`
  return { errorType, message, facts: { plan_id: plan.plan_id }, code: errorCodes[errorType] }
}
