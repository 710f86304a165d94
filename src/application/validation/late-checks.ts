import type { FinishRequest } from '../../domain/actor/actor.ts'
import type { Result } from '../../domain/failure.ts'
import { COMMAND_TOOL, type ToolOutcome } from '../../domain/tool.ts'
import { readJudgement } from '../../domain/validation.ts'
import type { Next } from '../plan/next.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { type DueCheck, dueChecks } from './due-checks.ts'
import { commandInput, judgeCommand } from './requested-check.ts'
import { nameOf, runCheck, type Seen, seen, type WantedCheck } from './run-check.ts'
import { answered, settleCheck } from './settle-check.ts'

/** At the end of Execute every check that is due runs, one a turn. Null: all of them have spoken. */
export async function runLateCheck(turn: Turn, request: FinishRequest): Promise<Next | null> {
  const due = dueChecks(turn.session.ports, turn.plan, turn.cursor)[0]
  if (!due) return null
  const said = due.last && answered(turn, due.last, { fixable: request.fixesChecks, by: 'late' })
  if (said) return said
  const end = await runCheck(wantedFor(turn, due))
  return end.kind === 'next' ? end.next : settleCheck(end, { fixable: request.fixesChecks, by: 'late' })
}

function wantedFor(turn: Turn, { about, runs }: DueCheck): WantedCheck {
  const { ports } = turn.session
  const wanted = {
    turn,
    key: `${requestKey(turn)}:${nameOf(about)}:${runs}`,
    path: `end of execute: ${nameOf(about)}`,
    about,
  }
  const validation = about.validation === null ? null : ports.store.validations.find(about.validation)
  if (validation?.runs.kind === 'tool') {
    const { tool, input, transform } = validation.runs
    return {
      ...wanted,
      tool,
      input,
      judge: result => judgeOutput(ports, { name: validation.name, transform }, result),
    }
  }
  return {
    ...wanted,
    tool: COMMAND_TOOL,
    input: commandInput(about),
    judge: result => judgeCommand(nameOf(about), result),
  }
}

/** What the transform says. One that cannot say it has not passed. */
function judgeOutput(
  ports: Ports,
  { name, transform }: { readonly name: string; readonly transform: string },
  result: Result<ToolOutcome>,
): Seen {
  const value = result.ok ? ports.validations.transform(transform, result.value.output) : result
  if (!value.ok) return seen('failed', `${name} failed: ${value.failure.message}`)
  const judged = readJudgement(value.value)
  if (typeof judged === 'string') return seen('failed', `${name} failed: ${judged}`)
  const { passed, data } = judged
  const message = judged.message ?? `${name} ${passed ? 'passed' : 'failed'}`
  const said = passed || judged.message === null ? message : `${name} failed: ${message}`
  return { ...seen(passed ? 'passed' : 'failed', said), output: judged.message ?? '', data }
}
