import { join } from 'node:path'
import { refuse } from '../../domain/failure.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { ToolContext } from '../../domain/tool.ts'
import type { Turn } from './turn.ts'

/** What a tool may touch and where it leaves its output, for the step named `stepName`. */
export function toolContext(
  { session, plan }: Turn,
  step: Pick<ToolContext, 'root' | 'entry' | 'databases' | 'network' | 'stepName' | 'onOutput'>,
): ToolContext {
  return {
    ...step,
    projectRoot: plan.project.root,
    access: plan.position === 'strategize/running' ? 'read_only' : 'read_write',
    signal: session.signal,
    merge: async source => {
      const other = session.ports.store.plans.find(source.planId)
      if (other?.project.root !== plan.project.root) return refuseOtherProject(source.planId, other, plan)
      const sandbox = await session.sandbox()
      return sandbox.ok ? sandbox.value.merge(source, session.signal) : sandbox
    },
    outputFolder: join(session.ports.host.dataDir, 'plans', plan.planId, 'output'),
  }
}

/** What belongs to one project is no other's to read. */
function refuseOtherProject(planId: PlanId, other: Plan | null, { project }: Plan) {
  const facts = { plan_id: planId }
  return other
    ? refuse(
        'invalid_input',
        `Plan ${other.name} works in ${other.project.root}, not in ${project.root}: its changes cannot be merged here.`,
        facts,
      )
    : refuse('not_found', `There is no plan ${planId}.`, facts)
}
