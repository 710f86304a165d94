import { type Finding, failing, type PreflightFacts } from './facts.ts'

/** PRE-02. Each problem is told once, whatever roles the actor has. */
export function checkActors({ actors }: PreflightFacts): Finding[] {
  const problems = actors.flatMap(({ problem }) => problem ?? [])
  return [...new Set(problems)].map(failing)
}
