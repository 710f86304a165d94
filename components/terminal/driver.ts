import { type Clock, systemClock } from './clock.ts'
import { type Cursor, frameBytes, type PaintedRow, rowBytes } from './frame-bytes.ts'
import { createFrameStream, type Size } from './frame-stream.ts'
import type { InputEvent } from './input-event.ts'
import { createInputParser, type InputParser } from './input-parser.ts'
import { earlyModes, type ModeOptions, restoreModes, screenModes } from './modes.ts'

export type TerminalInput = NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
export type TerminalOutput = NodeJS.WritableStream & {
  isTTY?: boolean
  columns?: number
  rows?: number
  writableNeedDrain?: boolean
}

export type DriverOptions = Partial<ModeOptions> & {
  stdin: TerminalInput
  stdout: TerminalOutput
  clock?: Clock
  onInput(event: InputEvent): void
  /** The terminal is gone: closed window, broken connection. */
  onGone?(): void
}

/**
 * Owns the terminal between `open` and `close`: raw mode, size, cursor, modes, and every byte written. Frames come in
 * whole from Ink, changed cells go out in one write. Raw mode is on before the first frame, or early keys would be
 * echoed into it.
 */
export class TerminalDriver {
  /** Given to Ink as its stdout. */
  readonly frames: NodeJS.WriteStream
  readonly #options: DriverOptions
  readonly #write: (bytes: string) => void
  readonly #parser: InputParser
  readonly #resizeListeners = new Set<(size: Size) => void>()
  #state: 'new' | 'open' | 'away' | 'closed' = 'new'
  #hasScreen = false
  #size: Size
  #painted: readonly PaintedRow[] = []
  #wanted: readonly string[] | undefined
  #cursor: Cursor | undefined
  #isCursorMoved = false
  #isCursorShown = false
  #isFlushPlanned = false
  #isDraining = false
  #afterFrame: ((at: number) => void)[] = []

  constructor(options: DriverOptions) {
    this.#options = options
    const { stdout } = options
    // Kept from before the output is captured: this is the one way to the terminal while the screen runs.
    const write = stdout.write
    this.#write = bytes => {
      write.call(stdout, bytes)
    }
    this.#size = sizeOf(stdout)
    this.#parser = createInputParser(this.#clock, options.onInput)
    this.frames = createFrameStream(
      () => this.#size,
      lines => this.#accept(lines),
    )
  }

  get size(): Size {
    return this.#size
  }

  open(): void {
    if (this.#state !== 'new') return
    const { stdin, stdout } = this.#options
    this.#state = 'open'
    this.#takeInput()
    stdin.on('data', this.#onData)
    stdin.on('end', this.#onGone).on('error', this.#onGone)
    stdout.on('error', this.#onGone).on('resize', this.#onResize)
    this.#write(earlyModes)
  }

  /** Puts everything back; may be called at any time and any number of times. */
  close(): void {
    if (this.#state === 'closed' || this.#state === 'new') return
    const hadTerminal = this.#state === 'open'
    this.#state = 'closed'
    if (hadTerminal) this.#release()
    const { stdin, stdout } = this.#options
    this.#parser.close()
    stdin.off('data', this.#onData).off('end', this.#onGone)
    stdout.off('resize', this.#onResize)
    // The error listeners stay: a write that fails after the end must not become an uncaught exception.
  }

  /** Lets another program (an editor, the shell) have the terminal; what Ink draws meanwhile is kept. */
  leave(): void {
    if (this.#state !== 'open') return
    this.#release()
    this.#state = 'away'
  }

  comeBack(): void {
    if (this.#state === 'open') this.#release()
    else if (this.#state !== 'away') return
    this.#state = 'open'
    this.#takeInput()
    this.#write(earlyModes)
    this.#hasScreen = false
    this.#onResize()
    this.repaint()
  }

  /** Draws everything again, whatever the terminal shows now. */
  repaint(): void {
    this.#painted = []
    this.#planFlush()
  }

  /** Where the terminal's own cursor stands, for input methods; nothing hides it. Counted from 0. */
  setCursor(cursor: Cursor | undefined): void {
    if (cursor?.row === this.#cursor?.row && cursor?.column === this.#cursor?.column) return
    this.#cursor = cursor
    this.#isCursorMoved = true
    this.#planFlush()
  }

  /** For the clipboard, notifications and the like; never inside a frame. */
  sendSequence(sequence: string): void {
    if (this.#state === 'open' && this.#hasScreen) this.#write(sequence)
  }

  onResize(listener: (size: Size) => void): () => void {
    this.#resizeListeners.add(listener)
    return () => this.#resizeListeners.delete(listener)
  }

  /** Runs once, when what is drawn now has been given to the terminal. */
  afterFrame(run: (at: number) => void): void {
    this.#afterFrame.push(run)
    this.#planFlush()
  }

  get #clock(): Clock {
    return this.#options.clock ?? systemClock
  }

  #takeInput(): void {
    const { stdin } = this.#options
    stdin.setRawMode?.(true)
    stdin.resume()
  }

  #release(): void {
    const { stdin } = this.#options
    this.#write(restoreModes(this.#hasScreen ? 'screenModes' : 'earlyModes'))
    this.#hasScreen = false
    this.#isCursorShown = false
    this.#painted = []
    stdin.setRawMode?.(false)
    stdin.pause()
  }

  #accept(lines: string[]): void {
    // A frame of another height was made for a size the window no longer has.
    if (lines.length !== this.#size.rows) return
    this.#wanted = lines
    this.#planFlush()
  }

  /** One write for all that happens in one turn: several commits, and the cursor set by an effect after them. */
  #planFlush(): void {
    if (this.#isFlushPlanned) return
    this.#isFlushPlanned = true
    queueMicrotask(() => {
      this.#isFlushPlanned = false
      this.#paint()
    })
  }

  #paint(): void {
    const { stdout } = this.#options
    if (this.#state !== 'open' || this.#wanted === undefined || this.#isDraining) return
    if (this.#wanted.length !== this.#size.rows) return
    if (stdout.writableNeedDrain) {
      this.#paintWhenDrained()
      return
    }
    const { bytes, rows } = rowBytes(this.#painted, this.#wanted, this.#size.columns)
    this.#painted = rows
    this.#send(bytes)
    this.#tellAfterFrame()
  }

  #send(change: string): void {
    const isFirst = !this.#hasScreen
    if (change === '' && !this.#isCursorMoved && !isFirst) return
    this.#isCursorMoved = false
    this.#hasScreen = true
    const modes = isFirst ? screenModes({ mouse: this.#options.mouse ?? false }) : ''
    this.#write(modes + frameBytes(change, this.#cursor, this.#isCursorShown))
    this.#isCursorShown = this.#cursor !== undefined
  }

  /** On a slow line only the newest frame is worth sending. */
  #paintWhenDrained(): void {
    this.#isDraining = true
    this.#options.stdout.once('drain', () => {
      this.#isDraining = false
      this.#paint()
    })
  }

  #tellAfterFrame(): void {
    const waiting = this.#afterFrame
    this.#afterFrame = []
    for (const run of waiting) run(this.#clock.now())
  }

  readonly #onData = (bytes: Uint8Array | string): void => {
    this.#parser.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
  }

  readonly #onGone = (): void => {
    if (this.#state === 'closed') return
    this.close()
    this.#options.onGone?.()
  }

  readonly #onResize = (): void => {
    const size = sizeOf(this.#options.stdout)
    if (size.columns === this.#size.columns && size.rows === this.#size.rows) return
    this.#size = size
    this.#painted = []
    for (const listener of this.#resizeListeners) listener(size)
  }
}

function sizeOf(stdout: TerminalOutput): Size {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 }
}
