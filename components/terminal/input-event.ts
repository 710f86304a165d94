/** Where an event came from: the instant its bytes were read, their chunk, and its place among the chunk's events. */
type Origin = { at: number; chunk: number; nth: number; of: number }

type Modifiers = { ctrl: boolean; alt: boolean; shift: boolean }

/** `name` is the typed character itself, or a word such as `enter`, `up`, `f1`. `text` is what an editor inserts. */
export type KeyEvent = Origin &
  Modifiers & { type: 'key'; name: string; text: string; phase: 'press' | 'repeat' | 'release' }

export type PasteEvent = Origin & { type: 'paste'; text: string; isTruncated: boolean; isComplete: boolean }

export type MouseAction = 'press' | 'release' | 'move' | 'wheelUp' | 'wheelDown'

export type MouseEvent = Origin &
  Modifiers & { type: 'mouse'; action: MouseAction; button: number; column: number; row: number }

export type FocusEvent = Origin & { type: 'focus'; hasFocus: boolean }

/** Anything the terminal said that is neither a key nor text: answers to queries, unknown sequences. */
export type ReplyEvent = Origin & { type: 'reply'; sequence: string }

export type InputEvent = KeyEvent | PasteEvent | MouseEvent | FocusEvent | ReplyEvent

type WithoutOrigin<Event> = Event extends InputEvent ? Omit<Event, keyof Origin> : never

/** An event before its chunk is complete. */
export type RawInput = WithoutOrigin<InputEvent>

export type RawKey = Omit<KeyEvent, keyof Origin>
