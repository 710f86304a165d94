import type { Action } from '../domain/action.ts'
import { isModelName } from '../domain/actor/model-name.ts'
import type { Ports } from './ports.ts'

/**
 * An action as a plan keeps it: which model `model` stands for is settled when the plan is made, and a later change of
 * the settings does not reach it. What cannot be settled stays as it is; pre-flight says why.
 */
export function withSettledActors(
  { models }: Pick<Ports, 'models'>,
  action: Action,
  project: string,
): Action {
  const settled = (name: string, role: 'strategy' | 'execution') => {
    const found = isModelName(name) ? models.resolve(name, { role, project }) : null
    return found?.ok ? found.value : name
  }
  return {
    ...action,
    strategyActor: settled(action.strategyActor, 'strategy'),
    executionActor: settled(action.executionActor, 'execution'),
  }
}
