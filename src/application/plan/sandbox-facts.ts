import type { Plan } from '../../domain/plan/plan.ts'
import type { SandboxStrategy } from '../../domain/sandbox/strategy.ts'
import type { Ports } from '../ports.ts'

/** What a person is told about where a plan works. */
export type SandboxFacts = Pick<
  SandboxStrategy,
  'name' | 'place' | 'restores' | 'protects' | 'doesNotProtect'
>

export function sandboxFacts(ports: Ports, { sandbox }: Pick<Plan, 'sandbox'>): SandboxFacts {
  const strategy = ports.sandboxes.strategy(sandbox)
  if (strategy.ok) return strategy.value
  // A plan that another version of the program made: nothing can be promised about it here.
  return {
    name: sandbox,
    place: 'beside',
    restores: 'never',
    protects: [],
    doesNotProtect: [strategy.failure.message],
  }
}

/** Whether every write is in the user's files at once, and nothing can be taken back. */
export function worksInPlace(ports: Ports, plan: Pick<Plan, 'sandbox'>): boolean {
  return sandboxFacts(ports, plan).place === 'in_place'
}
