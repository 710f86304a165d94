import { type KeyRow, matchKey } from '../keymap-row.ts'
import type { Clock } from './clock.ts'
import type { InputEvent, KeyEvent } from './input-event.ts'

type Reception = {
  /** Typed before the screen could show anything. */
  isEarly: boolean
}

/** One layer of the screen that takes keys: a pane, a view, a dialog. The newest is asked first. */
export type KeyMode<Action extends string = string, Context = unknown> = {
  name: string
  rows: readonly KeyRow<Action, Context>[]
  run(action: Action, event: KeyEvent): void
  refuse?(refusal: string, action: Action): void
  /** Sees every event before the rows do; true means it was used (an editor taking text, a card guarding answers). */
  intercept?(event: InputEvent): boolean
  /** A dialog keeps what it does not use from the modes below. */
  isModal?: boolean
  /** Drops whatever was typed before it was opened: such keys were meant for something else. */
  isGuarded?: boolean
}

export type KeyRouter<Context> = {
  /** Puts a mode on top; the returned function takes it away again, wherever it then is. */
  open<Action extends string>(mode: KeyMode<Action, Context>): () => void
  /** From now on events are acted on; those kept until here come first. */
  accept(): void
  dispatch(event: InputEvent): void
  /** Rows in force now, from the top mode down to the first modal one. */
  activeRows(): readonly KeyRow<string, Context>[]
}

type OpenMode<Context> = { mode: KeyMode<string, Context>; openedAt: number }

const maxKept = 4096

export function createKeyRouter<Context>(clock: Clock, context: () => Context): KeyRouter<Context> {
  const stack: OpenMode<Context>[] = []
  let kept: InputEvent[] | undefined = []

  function dispatch(event: InputEvent): void {
    if (kept) {
      if (kept.length < maxKept) kept.push(event)
      return
    }
    offer(event, { isEarly: false })
  }

  function offer(event: InputEvent, reception: Reception): void {
    for (const open of stack.toReversed()) {
      if (open.mode.isGuarded && (reception.isEarly || event.at <= open.openedAt)) return
      if (open.mode.intercept?.(event)) return
      if (event.type === 'key' && runRow(open.mode, event, context())) return
      if (open.mode.isModal) return
    }
  }

  return {
    open(mode) {
      // The stack forgets which actions a mode knows; its own rows only ever give it those back.
      const open: OpenMode<Context> = {
        mode: mode as unknown as KeyMode<string, Context>,
        openedAt: clock.now(),
      }
      stack.push(open)
      return () => {
        const index = stack.indexOf(open)
        if (index >= 0) stack.splice(index, 1)
      }
    },
    accept() {
      const early = kept ?? []
      kept = undefined
      for (const event of early) offer(event, { isEarly: true })
    },
    dispatch,
    activeRows() {
      const lastModal = stack.findLastIndex(open => open.mode.isModal)
      const active = stack.slice(Math.max(0, lastModal)).toReversed()
      return active.flatMap(open => open.mode.rows)
    },
  }
}

function runRow<Context>(mode: KeyMode<string, Context>, event: KeyEvent, context: Context): boolean {
  const match = matchKey(mode.rows, event, context)
  if (match === undefined) return false
  if (match.refusal !== undefined) mode.refuse?.(match.refusal, match.row.action)
  else mode.run(match.row.action, event)
  return true
}
