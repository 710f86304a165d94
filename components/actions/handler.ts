import type { ActionIn, Place } from '../keymap.ts'
import type { Screen } from '../screen.ts'
import type { InputEvent, KeyEvent } from '../terminal/input-event.ts'

/** One function for each action of a place; the compiler asks for the missing ones. */
export type Handlers<In extends Place> = Readonly<
  Record<ActionIn<In>, (screen: Screen, event: KeyEvent) => void>
>

/** How a place takes keys. */
export interface Behaviour {
  readonly handlers: Readonly<Record<string, (screen: Screen, event: KeyEvent) => void>>
  /** Sees events before the key table does; true means it was used. */
  readonly intercept?: (screen: Screen, event: InputEvent) => boolean
  /** Drops whatever was typed before it was opened. */
  readonly isGuarded?: true
}
