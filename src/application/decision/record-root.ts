import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'
import { recordDirectly } from './record-decision.ts'

/** The root of every decision tree: what was asked for. Call it inside a transaction. */
export function recordRoot(ports: Ports, plan: Plan): void {
  const args = Object.entries(plan.args).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  recordDirectly(ports, plan, {
    type: 'prompt_definition',
    phase: 'action',
    question: 'What is to be done?',
    chosenOption: {
      id: 'goal',
      label: taskOf(plan),
      rationale: `done when: ${plan.action.definitionOfDone}`,
    },
    rationale: [plan.action.name, ...args].join(' '),
    parentDecisionId: null,
    decidedBy: plan.parentPlanId === null ? 'human' : 'actor',
  })
}

/** In a person's own words, where the action takes any. */
function taskOf({ action, args }: Plan): string {
  const { prompt } = args
  return typeof prompt === 'string' && prompt.trim() !== '' ? prompt.trim() : action.description
}
