import { join } from 'node:path'
import type { Plan } from '../../domain/plan/plan.ts'
import type { ToolContext } from '../../domain/tool.ts'
import type { PlanSession } from './session.ts'

export function toolContext(
  session: PlanSession,
  plan: Plan,
  root: string,
  stepName: string,
  onOutput: (text: string) => void,
): ToolContext {
  return {
    root,
    projectRoot: plan.project.root,
    access: plan.position === 'strategize/running' ? 'read_only' : 'read_write',
    signal: session.signal,
    outputFolder: join(session.ports.host.dataDir, 'plans', plan.planId, 'output'),
    stepName,
    onOutput,
  }
}
