import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ActionLibrary, Actors } from '../../application/ports.ts'
import type { Action } from '../../domain/action.ts'
import { everyStep } from '../../domain/actor/recipe-walk.ts'
import { assetFolder } from '../system/asset.ts'
import { type ActionSurroundings, parseAction } from './parse-action.ts'

/** The actions that come along, and the reading of others. The files are read when first asked for, and once. */
export function openActionLibrary(surroundings: ActionSurroundings, actors: Actors): ActionLibrary {
  let builtIn: readonly Action[] | null = null
  return {
    builtIn: () => {
      builtIn ??= readAll(assetFolder('actions'), surroundings)
      return builtIn
    },
    parse: (text, file) => parseAction({ file, text, origin: 'user' }, surroundings),
    unavailable: action => unavailable(action, actors),
  }
}

function readAll(folder: string, surroundings: ActionSurroundings): Action[] {
  const files = readdirSync(folder).filter(file => file.endsWith('.yaml'))
  return files.sort().map(file => readOne(join(folder, file), surroundings))
}

/** One of ours that cannot be read is a bug of ours. */
function readOne(file: string, surroundings: ActionSurroundings): Action {
  const parsed = parseAction({ file, text: readFileSync(file, 'utf8'), origin: 'builtin' }, surroundings)
  if (!parsed.ok) throw new Error(parsed.failure.message)
  return parsed.value
}

function unavailable(action: Action, actors: Actors): string | null {
  if (action.name === 'builtin/unapply')
    return 'builtin/unapply takes back what one plan applied: agents plan unapply PLAN.'
  const { strategize = [], execute = [] } = action.recipe ?? {}
  if ([...everyStep([...strategize, ...execute])].some(step => step.kind === 'spawn'))
    return `${action.name} starts child plans (spawn), and child plans are not available yet.`
  for (const phase of ['strategize', 'execute'] as const) {
    const actor = actors.forAction(action, phase)
    if (!actor.ok) return actor.failure.message
  }
  return null
}
