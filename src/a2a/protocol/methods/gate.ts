/** Open gates, their answers and standing approvals. */
import * as z from 'zod'
import { chosenPart } from '../views/changes.ts'
import { gateView, grantView } from '../views/gate.ts'
import { planView } from '../views/plan.ts'
import { row, running } from './row.ts'

const answer = running.extend({
  gate_id: z.string().optional(),
  /** What the answer is bound to; without it, to the digest the gate has now. */
  digest: z.string().optional(),
  note: z.string().optional(),
})

export const gateMethods = {
  '_cleveragents/plan/approve': row(
    'Answer yes to a gate.',
    answer.extend({
      option_id: z.string().optional(),
      /** The gate's own, where it has one: an approval without it is refused. */
      confirm_word: z.string().optional(),
      ...chosenPart.shape,
      grant: z.enum(['once', 'plan', 'profile']).default('once'),
    }),
    planView,
  ),
  '_cleveragents/plan/reject': row('Answer no to a gate.', answer, planView),
  '_cleveragents/plan/request-changes': row(
    'Ask for another proposal, with guidance.',
    answer.extend({ guidance: z.string() }),
    planView,
  ),
  '_cleveragents/gate/list': row(
    'Open gates over all plans.',
    z.object({ plan_id: z.string().optional() }),
    z.object({ gates: z.array(gateView) }),
  ),
  '_cleveragents/grant/list': row(
    'Standing approvals.',
    z.object({ plan_id: z.string().optional() }),
    z.object({ grants: z.array(grantView) }),
  ),
  '_cleveragents/grant/revoke': row(
    'Take a standing approval back.',
    z.object({ grant_id: z.string() }),
    grantView,
  ),
} as const
