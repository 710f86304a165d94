import type { FinishRequest } from '../../domain/actor/actor.ts'
import { COMMAND_TOOL } from '../../domain/tool.ts'
import type { Next } from '../plan/next.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import { type DueCheck, dueChecks } from './due-checks.ts'
import { commandInput, judgeCommand } from './requested-check.ts'
import { nameOf, runCheck, type WantedCheck } from './run-check.ts'
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
  const { command } = about
  return {
    turn,
    key: `${requestKey(turn)}:${nameOf(about)}:${runs}`,
    path: 'end of execute',
    about,
    tool: COMMAND_TOOL,
    input: commandInput(about),
    judge: result => judgeCommand(command, result),
  }
}
