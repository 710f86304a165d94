import type { Place } from '../keymap.ts'
import type { Screen } from '../screen.ts'
import { audit, exportFile } from './audit.ts'
import { compare } from './compare.ts'
import { append, correct, correctGuidance, preview } from './correct.ts'
import { diff } from './diff.ts'
import { filter } from './filter.ts'
import { gate, gates, guidance } from './gate.ts'
import { alwaysHandlers, globalHandlers } from './global.ts'
import type { Behaviour } from './handler.ts'
import { home } from './home.ts'
import { newPlan } from './new-plan.ts'
import { createPalette } from './palette.ts'
import { profiles } from './profiles.ts'
import { cancel, help, leave } from './small-dialogs.ts'
import { undo } from './undo.ts'

const palette = createPalette((screen, action) => runAction(screen, 'home', action))

const byPlace: Readonly<Record<Exclude<Place, 'always' | 'global' | 'guidance'>, Behaviour>> = {
  home,
  filter,
  gates,
  gate,
  diff,
  compare,
  correct,
  preview,
  append,
  undo,
  newPlan,
  profiles,
  audit,
  exportFile,
  help,
  palette,
  cancel,
  leave,
}

/** Guidance is typed in two dialogs, and goes to the one it is typed in. */
export function behaviourOf(screen: Screen, place: Place): Behaviour {
  if (place === 'guidance')
    return screen.store.ui().dialogs.at(-1)?.kind === 'correct' ? correctGuidance : guidance
  if (place === 'always') return { handlers: alwaysHandlers }
  return place === 'global' ? { handlers: globalHandlers } : byPlace[place]
}

/** Every action of a place: its own, and those in force everywhere. */
export function handlersOf(screen: Screen, place: Place): Behaviour['handlers'] {
  return { ...alwaysHandlers, ...globalHandlers, ...behaviourOf(screen, place).handlers }
}

function runAction(screen: Screen, place: Place, action: string): void {
  const none = { at: 0, chunk: 0, nth: 0, of: 1, ctrl: false, alt: false, shift: false }
  handlersOf(screen, place)[action]?.(screen, { ...none, type: 'key', name: '', text: '', phase: 'press' })
}
