import { mapped, ok, type Result, refuse } from '../../domain/failure.ts'
import type { CheckedParams } from '../protocol/methods.ts'
import {
  DECISION_LOG,
  DECISION_LOG_VERSION,
  type DecisionLogView,
  decisionLogView,
} from '../protocol/views/decision-log.ts'
import type { Call, Handler } from './call.ts'
import { checkLog } from './decision-log/check-log.ts'
import { checksumOf, toDocument } from './decision-log/to-document.ts'

export const exportLog: Handler<'_cleveragents/plan/export'> = async ({ plan_id }, { backend }) =>
  mapped(await backend.decisionLog(plan_id), toDocument)

export const check: Handler<'_cleveragents/plan/check'> = async (params, call) => {
  const { rules } = params
  const asksNothing =
    rules.max_auto_below === undefined &&
    rules.max_cost === undefined &&
    rules.require_approved.length === 0 &&
    !rules.require_validations &&
    !rules.no_superseded_unanswered
  if (asksNothing) return refuse('invalid_input', 'Say what is to be checked: name at least one rule.')
  return mapped(await logOf(params, call), log => checkLog(log, rules))
}

async function logOf(
  { plan_id, log }: CheckedParams<'_cleveragents/plan/check'>,
  { backend }: Call,
): Promise<Result<DecisionLogView>> {
  if ((plan_id === undefined) === (log === undefined))
    return refuse('invalid_input', 'Name a plan or give its exported log, one of them.')
  return plan_id === undefined ? readLog(log) : mapped(await backend.decisionLog(plan_id), toDocument)
}

/** A document from outside counts only as it was exported. */
function readLog(given: unknown): Result<DecisionLogView> {
  const log = decisionLogView.safeParse(given)
  if (!log.success) {
    const what = `decision log (${DECISION_LOG}, version ${DECISION_LOG_VERSION})`
    const [issue] = log.error.issues
    return refuse('invalid_input', `This is no ${what}: ${issue?.path.join('.')} ${issue?.message}`)
  }
  // Over all that was given: what the schema does not know was not exported either.
  if (checksumOf(Object(given)) === log.data.checksum) return ok(log.data)
  return refuse(
    'denied',
    'The decision log was changed after it was exported: its checksum is not that of its content.',
    { checksum: log.data.checksum },
  )
}
