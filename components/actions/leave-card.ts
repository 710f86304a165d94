import { inbox } from '../../stores/gates.ts'
import type { Model } from '../../stores/model.ts'
import { ancestorsOf } from '../../stores/plans.ts'
import { selectPlan, type Ui } from '../../stores/ui.ts'
import type { Dialog } from '../dialogs.ts'

/** After an answer: on to the next question of the inbox, or, when none is left, to the plan that now goes on. */
export function leaveCard(
  model: Model,
  ui: Ui<Dialog>,
  answered: { gate_id: string; plan_id: string },
): Ui<Dialog> {
  const dialogs = ui.dialogs.filter(dialog => dialog.kind !== 'gate' || dialog.gateId !== answered.gate_id)
  // The event that closes the gate may still be on its way.
  const next = inbox(model.gates).find(gate => gate.gate_id !== answered.gate_id)
  if (next) return { ...ui, dialogs: dialogs.map(dialog => atNext(dialog, next.gate_id)) }
  if (!dialogs.some(dialog => dialog.kind === 'gates')) return { ...ui, dialogs }
  const rootId = ancestorsOf(model.plans, answered.plan_id).at(-1) ?? answered.plan_id
  return {
    ...selectPlan(ui, rootId, 0),
    focus: 'tree',
    dialogs: dialogs.filter(dialog => dialog.kind !== 'gates'),
  }
}

function atNext(dialog: Dialog, gateId: string): Dialog {
  return dialog.kind === 'gates' ? { ...dialog, gateId } : dialog
}
