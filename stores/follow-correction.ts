import type { WireEvent } from '../src/a2a/protocol/events.ts'
import { selectNode, type Ui } from './ui.ts'

/** A correction that the person confirmed on this screen, while its decision is taken again. */
export interface Correcting {
  readonly planId: string
  readonly decisionId: string
  /** What the selection stands on: the decision itself, then what was said about it. */
  readonly heirId: string
}

/**
 * The decision that was selected is superseded by what the person asked for, so the selection goes on to what was said
 * and then to the decision that takes its place, unless the person has moved meanwhile.
 */
export function followCorrection<Dialog>(ui: Ui<Dialog>, event: WireEvent): Ui<Dialog> {
  const { correcting } = ui
  if (!correcting) return ui
  const { planId, decisionId, heirId } = correcting
  const selected = ui.nodes[planId]
  if (selected?.id !== heirId) return { ...ui, correcting: null }
  if (event.method === '_cleveragents/decision/superseded') {
    const said = event.decision_ids.includes(decisionId) ? event.superseded_by : null
    if (said === null) return ui
    return {
      ...selectNode(ui, planId, { ...selected, id: said }),
      correcting: { ...correcting, heirId: said },
    }
  }
  if (event.method !== '_cleveragents/decision/recorded') return ui
  const { decision } = event
  if (decision.corrects_decision_id !== decisionId) return ui
  return { ...selectNode(ui, planId, { ...selected, id: decision.decision_id }), correcting: null }
}
