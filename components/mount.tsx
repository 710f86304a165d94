/*
 * Draws a React tree on the whole terminal: Ink lays it out, the driver paints it. The screen and its tests both start
 * here. Nothing of Ink reads the keyboard or writes to the terminal. Loading this file loads Ink: open the terminal first.
 */
import { render } from 'ink'
import type { ReactNode } from 'react'
import Output from '#ink-output'
import { createSilentInput } from './terminal/frame-stream.ts'
import type { TerminalSession } from './terminal/open-terminal.ts'
import { installRowMemo } from './terminal/row-memo.ts'
import { TerminalContext } from './terminal/terminal-context.ts'

export type MountedScreen = {
  /** Takes the tree down and puts the terminal back. */
  close(): void
}

/**
 * The tree must be one box of exactly `useScreenSize()`: frames of another height are taken for leftovers of an earlier
 * size and are not painted. Updates come from stores; a tree is never handed in again.
 */
export function mountScreen(
  session: TerminalSession,
  tree: ReactNode,
  { rowMemo = true }: { rowMemo?: boolean } = {},
): MountedScreen {
  const memo = rowMemo ? installRowMemo(Output) : null
  const ink = render(<TerminalContext value={session.terminal}>{tree}</TerminalContext>, {
    stdout: session.frames,
    stdin: createSilentInput(),
    stderr: session.frames,
    // One whole frame per write, at once: the driver decides what of it is new, and the store when there is one.
    debug: true,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  })
  session.onEnd(() => {
    ink.unmount()
    memo?.uninstall()
  })
  ink.waitUntilExit().then(
    () => session.end({ kind: 'closed' }),
    error => session.end({ kind: 'error', error }),
  )
  return { close: () => session.end({ kind: 'closed' }) }
}
