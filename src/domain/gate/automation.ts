/**
 * The eleven automation gates. The wire names come from the profile tables of the protocol guide and describe
 * unrelated activities; inside we use the meaning. This table is the only mapping, and a flag never governs the
 * file or tool action that its wire name suggests.
 */
export const automationGates = {
  autoStrategize: { flag: 'decompose_task', what: 'start Strategize' },
  autoExecute: { flag: 'create_tool', what: 'go from Strategize to Execute' },
  autoApply: { flag: 'select_tool', what: 'go from Execute to Apply' },
  decideInStrategize: { flag: 'edit_code', what: 'take decisions in Strategize' },
  decideInExecute: { flag: 'execute_command', what: 'take decisions in Execute' },
  fixValidations: { flag: 'create_file', what: 'fix failing validations' },
  reviseStrategy: { flag: 'delete_content', what: 'revise the strategy from Execute' },
  revertConstrainedApply: { flag: 'access_network', what: 'go back to Strategize when Apply is constrained' },
  spawnChildren: { flag: 'install_dependency', what: 'start child plans' },
  retryTransient: { flag: 'modify_config', what: 'retry transient failures' },
  restoreCheckpoint: { flag: 'approve_plan', what: 'restore the last checkpoint after a failure' },
} as const

export type AutomationGate = keyof typeof automationGates
export type AutomationFlag = (typeof automationGates)[AutomationGate]['flag']

export const automationGateNames = Object.keys(automationGates) as AutomationGate[] // keys of a constant literal

export function flagOf(gate: AutomationGate): AutomationFlag {
  return automationGates[gate].flag
}
