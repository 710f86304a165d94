import { type ErrorType, errorCodes } from '../a2a/protocol/error-codes.ts'
import type { PlanView } from '../a2a/protocol/views/plan.ts'

/** What the exit codes of commands mean. Only this file and error-codes.ts know numbers. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  gateWaits: 3,
  notFound: 4,
  limit: 5,
  conflict: 6,
  denied: 7,
  interrupted: 130,
  terminated: 143,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Complete by type: a refusal without an exit code does not compile. */
const ofErrorType: Readonly<Record<ErrorType, ExitCode>> = {
  parse_error: exitCodes.usage,
  invalid_request: exitCodes.usage,
  method_not_found: exitCodes.usage,
  invalid_input: exitCodes.usage,
  ambiguous: exitCodes.usage,
  internal: exitCodes.failed,
  not_found: exitCodes.notFound,
  unauthenticated: exitCodes.denied,
  denied: exitCodes.denied,
  untrusted: exitCodes.denied,
  invalid_state: exitCodes.failed,
  stale_answer: exitCodes.conflict,
  already_exists: exitCodes.conflict,
  budget_exceeded: exitCodes.limit,
  version_mismatch: exitCodes.conflict,
  store_newer: exitCodes.conflict,
  store_damaged: exitCodes.failed,
  preflight_failed: exitCodes.failed,
  step_failed: exitCodes.failed,
  transient: exitCodes.failed,
  sandbox_failed: exitCodes.failed,
  disk_full: exitCodes.failed,
  checkpoint_unverified: exitCodes.failed,
  conflict: exitCodes.conflict,
  store_busy: exitCodes.failed,
  interrupted: exitCodes.failed,
  not_available: exitCodes.failed,
  gate_waits: exitCodes.gateWaits,
}

export function exitCodeOfFailure(errorType: string): ExitCode {
  return isErrorType(errorType) ? ofErrorType[errorType] : exitCodes.failed
}

/**
 * What stands in the way of a plan that a command ran in the foreground; null when nothing does. A plan that someone
 * else paused or cancelled did not do what this command was asked for.
 */
const obstacleOfState: Readonly<Record<PlanView['state'], ErrorType | null>> = {
  queued: null,
  running: null,
  complete: null,
  applied: null,
  awaiting_input: 'gate_waits',
  paused: 'interrupted',
  cancelled: 'interrupted',
  errored: 'step_failed',
  constrained: 'conflict',
}

export function obstacleOf(plan: Pick<PlanView, 'state' | 'gates' | 'limits'>): ErrorType | null {
  const overBudget = plan.gates.some(gate => gate.status === 'open' && gate.kind === 'budget')
  const endedAtLimit = plan.state === 'errored' && plan.limits.exceeded !== null
  if (overBudget || endedAtLimit) return 'budget_exceeded'
  // What was appended to an applied plan asks below it.
  const asksBelow = plan.state === 'applied' && plan.gates.some(gate => gate.status === 'open')
  return asksBelow ? 'gate_waits' : obstacleOfState[plan.state]
}

function isErrorType(word: string): word is ErrorType {
  return Object.hasOwn(errorCodes, word)
}
