import { gatesLines, grantLines, grantsLines } from '../render/gate.ts'
import { given, simpleCall } from '../simple-call.ts'

export const gateList = simpleCall(
  '_cleveragents/gate/list',
  ({ given: typed }) => given('plan_id', typed.maybe('plan')),
  gatesLines,
)

export const grantList = simpleCall(
  '_cleveragents/grant/list',
  ({ given: typed }) => given('plan_id', typed.maybe('plan')),
  grantsLines,
)

export const grantRevoke = simpleCall(
  '_cleveragents/grant/revoke',
  ({ given: typed }) => ({ grant_id: typed.one('grant') }),
  grantLines,
)
