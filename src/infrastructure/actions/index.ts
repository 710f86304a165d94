import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ActionLibrary } from '../../application/ports/action.ts'
import type { Actors } from '../../application/ports/actor.ts'
import type { Action } from '../../domain/action.ts'
import type { KnownActions } from '../../domain/actor/check-spawn.ts'
import { assetFolder } from '../system/asset.ts'
import { type ActionSurroundings, parseAction } from './parse-action.ts'

/** The actions that come along, and the reading of others. The files are read when first asked for, and once. */
export function openActionLibrary(
  surroundings: Omit<ActionSurroundings, 'actions'>,
  actors: Actors,
): ActionLibrary {
  const builtIn = openBuiltIn(surroundings)
  return {
    builtIn: builtIn.all,
    parse: (text, file, registered) => {
      const actions: KnownActions = {
        names: () => [...builtIn.names(), ...registered.map(({ name }) => name)],
        find: name => builtIn.find(name) ?? registered.find(action => action.name === name) ?? null,
      }
      return parseAction({ file, text, origin: 'user' }, { ...surroundings, actions })
    },
    unavailable: action => unavailable(action, actors),
  }
}

/** One of ours may start another as a child, so each is read when it is asked for, whatever its place in the folder. */
function openBuiltIn(surroundings: Omit<ActionSurroundings, 'actions'>) {
  const folder = assetFolder('actions')
  const read = new Map<string, Action | null>()
  let files: readonly string[] | null = null
  let all: readonly Action[] | null = null
  const names = () => {
    files ??= fileNames(folder)
    return files
  }
  const find = (name: string): Action | null => {
    if (!read.has(name)) {
      // A circle of actions that start each other ends here.
      read.set(name, null)
      if (names().includes(name)) read.set(name, readOne(fileOf(folder, name), { ...surroundings, actions }))
    }
    return read.get(name) ?? null
  }
  const actions: KnownActions = { names, find }
  return {
    ...actions,
    all: () => {
      all ??= names().flatMap(name => find(name) ?? [])
      return all
    },
  }
}

/** Each file is called like its action, without the namespace. */
function fileNames(folder: string): string[] {
  const files = readdirSync(folder).filter(file => file.endsWith('.yaml'))
  return files.map(file => `builtin/${file.slice(0, -'.yaml'.length)}`).sort()
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${name.slice('builtin/'.length)}.yaml`)
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
  for (const phase of ['strategize', 'execute'] as const) {
    const actor = actors.forAction(action, phase)
    if (!actor.ok) return actor.failure.message
  }
  return null
}
