import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'

/** A plan that does not exist yet, of which is asked what would wait for a person. */
export interface WaitsQuestion {
  readonly action_name: string
  readonly automation_profile?: string
  readonly project: string
}

export function waitsOf(plan: PlanView, profile: string): WaitsQuestion {
  return { action_name: plan.action, automation_profile: profile, project: plan.project.root }
}

export function waitsKey({ action_name, automation_profile = '', project }: WaitsQuestion): string {
  return [action_name, automation_profile, project].join('\n')
}
