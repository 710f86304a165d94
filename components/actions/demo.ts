import { selectPlan } from '../../stores/ui.ts'
import { ask, changeUi, type Screen, tell } from '../screen.ts'

/** A small repository in a temporary folder and a plan on it, with a profile that asks before Execute and Apply. */
export async function startDemo(screen: Screen): Promise<void> {
  tell(screen, 'Preparing the demo')
  const demo = await ask(screen, '_cleveragents/demo/create', {})
  if (!demo) return
  const plan = await ask(
    screen,
    '_cleveragents/plan/use',
    { action_name: demo.action_name, folder: demo.folder, automation_profile: 'demo', trust: true },
    `The demo runs in ${demo.folder}.`,
  )
  if (plan) changeUi(screen, ui => ({ ...selectPlan(ui, plan.plan_id, 0), focus: 'tree' }))
}
