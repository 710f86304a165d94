import fuzzysort from 'fuzzysort'
import { keymap, type ScreenKey } from '../keymap.ts'

export interface Command {
  readonly row: ScreenKey
  readonly label: string
}

/** Moving and opening are done with their keys; everything else has a name here. */
const leftOut = new Set([
  'up',
  'down',
  'pageUp',
  'pageDown',
  'first',
  'last',
  'fold',
  'unfold',
  'open',
  'back',
  'palette',
  'interrupt',
])

export function foundCommands(search: string): readonly Command[] {
  const commands = [...keymap.home, ...keymap.global, ...keymap.always]
    .filter(row => !leftOut.has(row.action))
    .map(row => ({ row, label: row.label }))
  if (search.trim() === '') return commands
  // The default threshold rejects abbreviations.
  return fuzzysort
    .go(search.trim(), commands, { key: 'label', threshold: 0, limit: 100 })
    .map(found => found.obj)
}
