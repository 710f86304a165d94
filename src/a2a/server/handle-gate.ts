import { mapped, ok } from '../../domain/failure.ts'
import type { GateAnswer } from '../../domain/gate/gate.ts'
import type { Call, Handler } from './call.ts'
import { choosesPart, readChosenPart } from './chosen-part.ts'
import { advanced } from './handle-plan.ts'
import { gateView, grantView } from './to-view/gate.ts'

export const approve: Handler<'_cleveragents/plan/approve'> = async (params, call) => {
  const { option_id, grant } = params
  // An answer to all of it takes effect in the order in which answers arrive: nothing is waited for.
  const part = choosesPart(params) ? await readChosenPart(params.plan_id, params, call.backend) : ok(null)
  if (!part.ok) return part
  return answer(params, { decision: 'approve', optionId: option_id ?? null, part: part.value, grant }, call)
}

export const reject: Handler<'_cleveragents/plan/reject'> = (params, call) =>
  answer(params, { decision: 'reject' }, call)

export const requestChanges: Handler<'_cleveragents/plan/request-changes'> = (params, call) =>
  answer(params, { decision: 'request_changes', guidance: params.guidance }, call)

export const list: Handler<'_cleveragents/gate/list'> = ({ plan_id }, { backend }) =>
  mapped(backend.openGates(plan_id ?? null), gates => ({ gates: gates.map(gateView) }))

export const listGrants: Handler<'_cleveragents/grant/list'> = ({ plan_id }, { backend }) =>
  mapped(backend.grants(plan_id ?? null), grants => ({ grants: grants.map(grantView) }))

export const revokeGrant: Handler<'_cleveragents/grant/revoke'> = ({ grant_id }, { backend }) =>
  mapped(backend.revokeGrant(grant_id), grantView)

interface AnswerParams {
  readonly plan_id: string
  readonly gate_id?: string | undefined
  readonly digest?: string | undefined
  readonly note?: string | undefined
  readonly confirm_word?: string | undefined
  readonly wait: boolean
}

async function answer(
  params: AnswerParams,
  given: Pick<GateAnswer, 'decision'> & Partial<GateAnswer>,
  call: Call,
) {
  const result = await call.backend.answerGate({
    planRef: params.plan_id,
    gateRef: params.gate_id ?? null,
    digest: params.digest ?? null,
    confirmWord: params.confirm_word ?? null,
    answer: {
      optionId: null,
      guidance: null,
      part: null,
      grant: 'once',
      note: params.note ?? null,
      ...given,
    },
    by: call.user,
  })
  return advanced(result, params, call)
}
