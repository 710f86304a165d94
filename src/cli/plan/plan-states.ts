import type { PlanView } from '../../a2a/protocol/views.ts'

/** Named here too, so that reading a command line loads no schemas. */
export const planPhases = [
  'action',
  'strategize',
  'execute',
  'apply',
] as const satisfies readonly PlanView['phase'][]
export const planStates = [
  'queued',
  'running',
  'awaiting_input',
  'paused',
  'complete',
  'errored',
  'constrained',
  'cancelled',
  'applied',
] as const satisfies readonly PlanView['state'][]
