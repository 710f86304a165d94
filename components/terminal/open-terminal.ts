import { captureOutput } from './capture-output.ts'
import { type Clock, systemClock } from './clock.ts'
import { TerminalDriver, type TerminalInput, type TerminalOutput } from './driver.ts'
import type { Cursor } from './frame-bytes.ts'
import type { Size } from './frame-stream.ts'
import type { InputEvent } from './input-event.ts'
import { createLogRing, type LogRing } from './log-ring.ts'
import { startWatchdog } from './watchdog.ts'
import { type ExitReason, watchWaysOut } from './ways-out.ts'

/** The terminal as the tree and the actions of the screen see it. */
export type Terminal = {
  readonly size: Size
  readonly log: LogRing
  onResize(listener: (size: Size) => void): () => void
  /** Counted from 0; undefined hides it. */
  setCursor(cursor: Cursor | undefined): void
  repaint(): void
  /** For the clipboard and notifications. */
  sendSequence(sequence: string): void
  /** Runs once, when what is drawn now has been given to the terminal. */
  afterFrame(run: (at: number) => void): void
  /** Ctrl-Z. */
  suspend(): void
  /** Gives the terminal to another program, an editor say, until it ends. */
  handOver<Result>(run: () => Promise<Result>): Promise<Result>
}

export type TerminalSession = {
  readonly terminal: Terminal
  /** Ink's stdout. */
  readonly frames: NodeJS.WriteStream
  /** Puts the terminal back and says why the screen ended. Only the first reason counts. */
  end(reason: ExitReason): void
  onEnd(listener: () => void): void
}

export type OpenTerminalOptions = {
  stdin: TerminalInput
  stdout: TerminalOutput
  onInput(event: InputEvent): void
  /** Called once. After an error Node ends the process by itself; in all other cases the owner does. */
  onExit(reason: ExitReason): void
  mouse?: boolean
  clock?: Clock
  /** The process whose signals and end are watched, and whose output is captured; tests in one process leave it out. */
  process?: NodeJS.Process
}

const watchdogDelayMs = 300

/**
 * Takes the terminal: raw mode and reading begin now, so call it as early as possible and load Ink afterwards. The
 * shell's text stays until the first frame.
 */
export function openTerminal(options: OpenTerminalOptions): TerminalSession {
  const { stdin, stdout, process, clock = systemClock } = options
  if (!stdin.isTTY || !stdout.isTTY)
    throw new Error('The screen needs a terminal for its input and its output')
  const log = createLogRing()
  const listeners: (() => void)[] = []
  const undo: (() => void)[] = []
  let hasEnded = false
  let isLent = false

  const driver = new TerminalDriver({
    ...options,
    clock,
    onGone: () => end({ kind: 'terminalGone' }),
  })
  const waysOut = process && watchWaysOut({ process, clock, leave, comeBack, close, onExit: end })

  function end(reason: ExitReason): void {
    if (hasEnded) return
    hasEnded = true
    for (const listener of listeners) listener()
    close()
    // On a signal the listeners stay until the process is gone; see there.
    if (reason.kind !== 'signal') waysOut?.release()
    options.onExit(reason)
  }

  function close(): void {
    driver.close()
    for (const step of undo.splice(0)) step()
  }

  function leave(): void {
    driver.leave()
  }

  /** Stopped and continued together with a program that has the terminal, it stays with that one. */
  function comeBack(): void {
    if (!isLent) driver.comeBack()
  }

  async function handOver<Result>(run: () => Promise<Result>): Promise<Result> {
    isLent = true
    driver.leave()
    try {
      return await run()
    } finally {
      isLent = false
      driver.comeBack()
    }
  }

  driver.open()
  if (process) {
    undo.push(captureOutput([process.stdout, process.stderr], log))
    driver.afterFrame(() => undo.push(watchLater(clock, stdout)))
  }
  return {
    terminal: toTerminal(driver, { log, suspend: () => waysOut?.suspend(), handOver }),
    frames: driver.frames,
    end,
    onEnd: l => listeners.push(l),
  }
}

/** Starting a process takes some milliseconds, which the first keys must not feel. */
function watchLater(clock: Clock, stdout: TerminalOutput): () => void {
  if (!('fd' in stdout) || typeof stdout.fd !== 'number') return () => {}
  const { fd } = stdout
  let stop = clock.after(watchdogDelayMs, () => {
    stop = startWatchdog(fd)
  })
  return () => stop()
}

function toTerminal(
  driver: TerminalDriver,
  others: Pick<Terminal, 'log' | 'suspend' | 'handOver'>,
): Terminal {
  return {
    ...others,
    get size() {
      return driver.size
    },
    onResize: listener => driver.onResize(listener),
    setCursor: cursor => driver.setCursor(cursor),
    repaint: () => driver.repaint(),
    sendSequence: sequence => driver.sendSequence(sequence),
    afterFrame: run => driver.afterFrame(run),
  }
}
