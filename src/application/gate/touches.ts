/** What a plan touches, for the risk of its operations (requirements GAP-04). Begin with `planTouches`. */

import type { Action } from '../../domain/action.ts'
import type { RecipeStep } from '../../domain/actor/recipe-format.ts'
import { everyStep } from '../../domain/actor/recipe-walk.ts'
import type { TouchKind } from '../../domain/gate/confidence.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { worksInPlace } from '../plan/sandbox-facts.ts'
import type { Ports } from '../ports.ts'

/** planned: what its action would do in Execute. done: what it and its children did. */
export function planTouches(ports: Ports, plan: Plan, which: 'planned' | 'done'): TouchKind[] {
  const uses = which === 'done' ? usedBy(ports, plan) : usesOf(ports, plan.action, new Set())
  // An actor that follows no recipe may use whatever the sandbox can take back.
  if (uses === null) return [touchOf(ports, plan, { tool: null, network: false })]
  return [...new Set(uses.map(use => touchOf(ports, plan, use)))]
}

interface Use {
  /** Null: anything that writes into the sandbox. */
  readonly tool: string | null
  readonly network: boolean
}

export function touchOf(ports: Ports, plan: Plan, { tool, network }: Use): TouchKind {
  const capability = tool === null ? null : ports.tools.find(tool)?.capability
  if (capability?.unsafe) return 'unsafe'
  if (network) return 'irreversible'
  if (capability?.readOnly || plan.action.readOnly) return 'read_only'
  const isCheckpointed = (capability?.checkpointable ?? true) && !worksInPlace(ports, plan)
  return isCheckpointed ? 'checkpointable_write' : 'write'
}

function usedBy({ store }: Ports, { planId }: Plan): Use[] {
  const family = [planId, ...store.plans.listDescendants(planId).map(each => each.planId)]
  return family.flatMap(each => store.steps.toolsUsed(each))
}

/** Null where no recipe says it. `seen` keeps actions that start each other from going round. */
function usesOf(ports: Ports, action: Action, seen: ReadonlySet<string>): Use[] | null {
  if (!action.recipe) return null
  const steps = [...everyStep(action.recipe.execute)]
  const inner = new Set([...seen, action.name])
  const below = steps.flatMap(step => (step.kind === 'spawn' ? step.children : []).map(child => child.action))
  const started = [...new Set(below)].flatMap(name => {
    const child = inner.has(name) ? null : actionNamed(ports, name)
    return child ? (usesOf(ports, child, inner) ?? [{ tool: null, network: false }]) : []
  })
  return [...steps.flatMap(useOf), ...started]
}

/** A check only looks, and what it writes is thrown away. */
function useOf(step: RecipeStep): Use[] {
  if (step.kind !== 'tool') return []
  const { network } = step.with
  return [{ tool: step.name, network: network !== undefined && network !== false }]
}

function actionNamed({ actions, store }: Ports, name: string): Action | null {
  return actions.builtIn().find(each => each.name === name) ?? store.actions.find(name)
}
