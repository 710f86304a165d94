import type { ValidateRequest } from '../../domain/actor/actor.ts'
import type { Result } from '../../domain/failure.ts'
import { COMMAND_TOOL, type ToolOutcome } from '../../domain/tool.ts'
import type { Next } from '../plan/next.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import { runCheck, type Seen, seen } from './run-check.ts'
import { answered, settleCheck } from './settle-check.ts'

/** A check that the plan's actor asks for. */
export async function runRequestedCheck(turn: Turn, request: ValidateRequest): Promise<Next> {
  const key = requestKey(turn)
  const before = turn.session.ports.store.steps.findByKey(key)
  const said = before && answered(turn, before, { fixable: request.fixable, by: 'requested' })
  if (said) return said
  const { command, network, mode, origin, step: path, fixable } = request
  const end = await runCheck({
    turn,
    key,
    path,
    about: { validation: null, command, mode, origin, network },
    tool: COMMAND_TOOL,
    input: commandInput(request),
    judge: result => judgeCommand(command, result),
  })
  return end.kind === 'next' ? end.next : settleCheck(end, { fixable, by: 'requested' })
}

export function commandInput({ command, network }: Pick<ValidateRequest, 'command' | 'network'>) {
  return network ? { command, network } : { command }
}

/** It passes with the exit code 0. */
export function judgeCommand(name: string, result: Result<ToolOutcome>): Seen {
  if (!result.ok) return seen('failed', result.failure.message)
  const { output, summary } = result.value
  const exitCode = Number(output['exit_code'])
  const printed = [output['stdout'], output['stderr']].map(text => String(text ?? '')).join('')
  const said = { exitCode, output: printed.slice(-MOST_OUTPUT).toWellFormed(), data: null }
  if (exitCode === 0) return { ...said, result: 'passed', message: `${name} passed` }
  return { ...said, result: 'failed', message: `${name} failed: ${summary}` }
}

const MOST_OUTPUT = 4_000
