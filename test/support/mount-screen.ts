import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { ReactNode } from 'react'
import { mountScreen } from '../../components/mount.tsx'
import type { Clock } from '../../components/terminal/clock.ts'
import type { TerminalInput, TerminalOutput } from '../../components/terminal/driver.ts'
import type { InputEvent } from '../../components/terminal/input-event.ts'
import { openTerminal } from '../../components/terminal/open-terminal.ts'
import type { ExitReason } from '../../components/terminal/ways-out.ts'
import { createHeadlessTerminal } from './headless-terminal.ts'

export type MountOptions = {
  columns?: number
  rows?: number
  onInput?: (event: InputEvent) => void
  clock?: Clock
  rowMemo?: boolean
}

/** The tree on a terminal of its own: Ink's real path through the driver, keys pushed in as bytes. */
export async function mountForTest(tree: ReactNode, options: MountOptions = {}) {
  const { columns = 80, rows = 24 } = options
  const terminal = createHeadlessTerminal(columns, rows)
  const writes: string[] = []
  let taken = Promise.resolve()
  const stdin = fakeInput()
  const stdout = fakeOutput(columns, rows, data => {
    writes.push(data)
    taken = terminal.write(data)
  })
  const exits: ExitReason[] = []
  const session = openTerminal({
    stdin: stdin.stream,
    stdout: stdout.stream,
    onInput: options.onInput ?? (() => {}),
    onExit: reason => exits.push(reason),
    ...(options.clock && { clock: options.clock }),
  })
  const mounted = mountScreen(session, tree, { rowMemo: options.rowMemo ?? true })

  /** Lets React, the driver and the terminal finish what they are at. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    await taken
  }

  const screen = {
    ...terminal,
    session,
    /** What was written to the terminal, one entry for each write. */
    writes,
    isRaw: stdin.isRaw,
    exits,
    settle,
    /** One chunk of bytes, as one read would give it. */
    async press(bytes: string): Promise<void> {
      stdin.push(bytes)
      await settle()
    },
    /** Each key in a chunk of its own. */
    async type(...chunks: string[]): Promise<void> {
      for (const chunk of chunks) await screen.press(chunk)
    },
    async resize(newColumns: number, newRows: number): Promise<void> {
      terminal.resize(newColumns, newRows)
      stdout.resize(newColumns, newRows)
      await settle()
    },
    /** The bytes that a change took. */
    async bytesOf(change: () => unknown): Promise<number> {
      const before = writes.length
      await change()
      await settle()
      return Buffer.byteLength(writes.slice(before).join(''))
    },
    async close(): Promise<void> {
      mounted.close()
      await settle()
      terminal.dispose()
    },
  }
  await settle()
  return screen
}

export type TestScreen = Awaited<ReturnType<typeof mountForTest>>

function fakeInput() {
  let isRaw = false
  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode(raw: boolean) {
      isRaw = raw
      return stream
    },
    resume: () => stream,
    pause: () => stream,
  })
  return {
    // The driver uses exactly these members of a terminal's input.
    stream: stream as unknown as TerminalInput,
    push: (bytes: string) => stream.emit('data', Buffer.from(bytes)),
    isRaw: () => isRaw,
  }
}

function fakeOutput(columns: number, rows: number, onData: (data: string) => void) {
  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns,
    rows,
    write(data: string) {
      onData(data)
      return true
    },
  })
  return {
    // The driver uses exactly these members of a terminal's output.
    stream: stream as unknown as TerminalOutput,
    resize(newColumns: number, newRows: number) {
      Object.assign(stream, { columns: newColumns, rows: newRows })
      stream.emit('resize')
    },
  }
}
