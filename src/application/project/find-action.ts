import type { Action } from '../../domain/action.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { spellingsOf } from '../../domain/name.ts'
import { noneNamed } from '../../domain/nearest.ts'
import type { ActionEntry } from '../backend/action.ts'
import type { Ports } from '../ports.ts'

/** Built-in actions first, then registered ones; `local/` and `builtin/` may be left out. */
export function findAction(ports: Ports, name: string): Result<ActionEntry> {
  const all = listActions(ports)
  const found = spellingsOf(name).flatMap(wanted => all.filter(each => each.action.name === wanted))[0]
  if (found) return { ok: true, value: found }
  const names = all.map(each => each.action.name)
  return refuse('not_found', noneNamed('action', name, names), { action: name })
}

export function listActions(ports: Ports): ActionEntry[] {
  const builtIn = ports.actions.builtIn().map(action => entry(ports, action, 'built-in'))
  const registered = ports.store.actions.list().map(action => entry(ports, action, 'registered'))
  return [...builtIn, ...registered]
}

function entry(ports: Ports, action: Action, origin: ActionEntry['origin']): ActionEntry {
  return { action, origin, unavailable: ports.actions.unavailable(action) }
}

/** Registers an action from its YAML; a second version under the same name replaces the first. */
export function createAction(
  ports: Ports,
  text: string,
  file: string,
  automationProfile: string | null,
): Result<ActionEntry> {
  const parsed = ports.actions.parse(text, file, ports.store.actions.list())
  if (!parsed.ok) return parsed
  const action = automationProfile ? { ...parsed.value, automationProfile } : parsed.value
  if (action.name.startsWith('builtin/')) {
    return refuse(
      'already_exists',
      `${action.name}: the namespace builtin/ is reserved; use local/ or your own.`,
      { name: action.name },
    )
  }
  ports.store.actions.put(action, text)
  return { ok: true, value: entry(ports, action, 'registered') }
}

/** Plans that use it keep their own copy; new ones are refused. */
export function archiveAction(ports: Ports, name: string): Result<ActionEntry> {
  const found = findAction(ports, name)
  if (!found.ok) return found
  if (found.value.origin === 'built-in') {
    return refuse('denied', `${found.value.action.name} is built in; it cannot be archived.`, { name })
  }
  const archived: Action = { ...found.value.action, state: 'archived' }
  ports.store.actions.put(archived, '')
  return { ok: true, value: entry(ports, archived, 'registered') }
}
