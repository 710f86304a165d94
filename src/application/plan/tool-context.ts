import { join } from 'node:path'
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
      const sandbox = await session.sandbox()
      return sandbox.ok ? sandbox.value.merge(source, session.signal) : sandbox
    },
    outputFolder: join(session.ports.host.dataDir, 'plans', plan.planId, 'output'),
  }
}
