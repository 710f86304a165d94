import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Action } from '../../domain/action.ts'
import { assetFolder } from '../system/asset.ts'
import { type ActionSurroundings, parseAction } from './parse-action.ts'

/** The actions that come along, by name. They are read when first asked for, and once. */
export function openBuiltinActions(surroundings: ActionSurroundings): () => ReadonlyMap<string, Action> {
  let actions: ReadonlyMap<string, Action> | null = null
  return () => {
    actions ??= readAll(assetFolder('actions'), surroundings)
    return actions
  }
}

function readAll(folder: string, surroundings: ActionSurroundings): ReadonlyMap<string, Action> {
  const files = readdirSync(folder).filter(file => file.endsWith('.yaml'))
  const actions = files.sort().map(file => readOne(join(folder, file), surroundings))
  return new Map(actions.map(action => [action.name, action]))
}

/** One of ours that cannot be read is a bug of ours. */
function readOne(file: string, surroundings: ActionSurroundings): Action {
  const parsed = parseAction({ file, text: readFileSync(file, 'utf8'), origin: 'builtin' }, surroundings)
  if (!parsed.ok) throw new Error(parsed.failure.message)
  return parsed.value
}
