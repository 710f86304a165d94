/** Without schemas, so that reading a command line loads none. */
export const planPhases = ['action', 'strategize', 'execute', 'apply'] as const
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
] as const
