import type { Decision } from '../../domain/decision/decision.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'
import { recordDirectly, rootOf } from './record-decision.ts'

/** Puts a person's word into the tree, below its root. Call it inside a transaction. */
export function recordGuidance(
  ports: Ports,
  plan: Plan,
  given: Pick<Decision, 'phase' | 'question' | 'rationale'> & { readonly words: string },
): Decision {
  const { words, ...entry } = given
  return recordDirectly(ports, plan, {
    ...entry,
    type: 'user_intervention',
    chosenOption: { id: 'guidance', label: words, rationale: null },
    parentDecisionId: rootOf(ports, plan),
    decidedBy: 'human',
  })
}
