import type { KeyEvent } from './terminal/input-event.ts'

/** One key of the screen. Help, hints and documentation are made from these rows. `when` hides the row where it makes no sense. */
export type KeyRow<Action extends string = string, Context = unknown> = {
  action: Action
  /** As `keyId` spells them: `a`, `X`, `?`, `enter`, `space`, `ctrl+l`, `shift+tab`, `alt+enter`. */
  keys: readonly string[]
  label: string
  /** The keys that a hint names, where one row stands for more than itself, e.g. up and down for "move". */
  hintKeys?: readonly string[]
  when?: (context: Context) => boolean
  /** The reason why the action cannot be done now, shown before and when the key is pressed. */
  whyNot?: (context: Context) => string | undefined
}

export type KeyMatch<Action extends string = string, Context = unknown> = {
  row: KeyRow<Action, Context>
  refusal: string | undefined
}

/** The row a key press means here, and why it may not be done now. */
export function matchKey<Action extends string, Context>(
  rows: readonly KeyRow<Action, Context>[],
  event: KeyEvent,
  context: Context,
): KeyMatch<Action, Context> | undefined {
  if (event.phase === 'release') return undefined
  const id = keyId(event)
  const row = rows.find(row => row.keys.includes(id) && (row.when?.(context) ?? true))
  return row && { row, refusal: row.whyNot?.(context) }
}

/** How rows spell the key of an event. A printed character carries its shift in itself. */
export function keyId(event: Pick<KeyEvent, 'name' | 'ctrl' | 'alt' | 'shift'>): string {
  const modifiers = [event.ctrl && 'ctrl', event.alt && 'alt', event.shift && 'shift'].filter(Boolean)
  return [...modifiers, event.name].join('+')
}

/** Keys that two rows of one mode both claim, where neither row says when. */
export function conflictingKeys(rows: readonly KeyRow<string, never>[]): string[] {
  const unconditional = rows.filter(row => row.when === undefined).flatMap(row => row.keys)
  return unconditional.filter((key, index) => unconditional.indexOf(key) !== index)
}

const shortForms: Record<string, string> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  enter: '⏎',
  escape: 'esc',
  pageup: 'pgup',
  pagedown: 'pgdn',
}

/** A key as hints show it; without Unicode the plain word stays. */
export function keyLabel(key: string, charset: 'unicode' | 'ascii' = 'unicode'): string {
  if (charset === 'ascii') return key === 'escape' ? 'esc' : key
  const parts = key.split('+')
  const last = parts.at(-1) ?? ''
  return key === '+' ? key : [...parts.slice(0, -1), shortForms[last] ?? last].join('+')
}
