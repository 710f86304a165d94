import { createContext, useContext, useLayoutEffect, useSyncExternalStore } from 'react'
import type { Cursor } from './frame-bytes.ts'
import type { Size } from './frame-stream.ts'
import type { Terminal } from './open-terminal.ts'

export const TerminalContext = createContext<Terminal | undefined>(undefined)

function useTerminal(): Terminal {
  const terminal = useContext(TerminalContext)
  if (terminal === undefined) throw new Error('This component is drawn outside mountScreen')
  return terminal
}

export function useScreenSize(): Size {
  const terminal = useTerminal()
  return useSyncExternalStore(terminal.onResize, () => terminal.size)
}

/** Puts the terminal's own cursor at a cell of the window, where input methods look for it. Only one caller at a time. */
export function useTerminalCursor(cursor: Cursor | undefined): void {
  const terminal = useTerminal()
  const row = cursor?.row
  const column = cursor?.column
  useLayoutEffect(() => {
    if (row === undefined || column === undefined) return
    terminal.setCursor({ row, column })
    return () => terminal.setCursor(undefined)
  }, [terminal, row, column])
}
