import pty from '@lydell/node-pty'
import { createHeadlessTerminal } from './headless-terminal.ts'
import { PATIENCE_MS } from './wait-for.ts'

export type PtyOptions = {
  columns?: number
  rows?: number
  cwd?: string
  env?: Record<string, string>
}

const baseEnv = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: process.env['HOME'] ?? '/',
  // Ink, and everything else that looks, must see a person at a terminal even when the tests run in CI.
  CI: 'false',
  NODE_ENV: 'production',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  LANG: 'C.UTF-8',
}

/** Starts a program in a real pty and reads its screen like a person. End it with `kill`, best in `afterEach`. */
export function startInPty(command: string, args: readonly string[], options: PtyOptions = {}) {
  const { columns = 80, rows = 24 } = options
  const terminal = createHeadlessTerminal(columns, rows)
  const child = pty.spawn(command, [...args], {
    cols: columns,
    rows,
    cwd: options.cwd ?? process.cwd(),
    env: { ...baseEnv, ...options.env },
    encoding: null,
  })
  const waiters = new Set<() => void>()
  const bytes: Buffer[] = []
  let exit: { exitCode: number; signal: number | undefined } | undefined

  // A person does not see half a frame, and neither does a condition.
  const isMidFrame = createFrameWatch()
  let isHalfDrawn = false

  function changed(): void {
    if (isHalfDrawn && exit === undefined) return
    for (const waiter of waiters) waiter()
  }

  // With no encoding the data are bytes, whatever the type says.
  child.onData(data => {
    const chunk = Buffer.from(data)
    bytes.push(chunk)
    const half = isMidFrame(chunk.toString('latin1'))
    void terminal.write(chunk).then(() => {
      isHalfDrawn = half
      changed()
    })
  })
  child.onExit(result => {
    exit = { exitCode: result.exitCode, signal: result.signal }
    changed()
  })
  // A real terminal answers queries; a program that asks must not wait for ever.
  terminal.onReply(reply => exit === undefined && child.write(reply))

  const screen = {
    ...terminal,
    pid: child.pid,
    /** Everything the program wrote, as it wrote it. */
    output: () => Buffer.concat(bytes).toString('utf8'),
    byteCount: () => bytes.reduce((sum, chunk) => sum + chunk.length, 0),
    send: (keys: string) => child.write(keys),
    resize(newColumns: number, newRows: number) {
      terminal.resize(newColumns, newRows)
      child.resize(newColumns, newRows)
    },
    async waitFor(what: string, condition: () => boolean, timeoutMs = PATIENCE_MS): Promise<void> {
      if (!isHalfDrawn && condition()) return
      await new Promise<void>((resolve, reject) => {
        const finish = (settle: () => void) => {
          waiters.delete(check)
          clearTimeout(timer)
          settle()
        }
        const check = () => condition() && finish(resolve)
        const failure = () =>
          new Error(`Waited ${timeoutMs} ms in vain for ${what}. The screen:\n${terminal.text()}`)
        const timer = setTimeout(() => finish(() => reject(failure())), timeoutMs)
        waiters.add(check)
      })
    },
    waitForText: (pattern: RegExp | string, timeoutMs?: number) =>
      screen.waitFor(
        `the text ${pattern}`,
        () =>
          typeof pattern === 'string' ? terminal.text().includes(pattern) : pattern.test(terminal.text()),
        timeoutMs,
      ),
    async waitForExit(timeoutMs?: number) {
      await screen.waitFor('the end of the program', () => exit !== undefined, timeoutMs)
      return exit
    },
    /** The window is closed while the program runs. */
    hangUp: () => child.kill('SIGHUP'),
    kill(signal = 'SIGKILL') {
      if (exit === undefined) child.kill(signal)
      if (signal === 'SIGKILL') terminal.dispose()
    },
  }
  return screen
}

export type PtyScreen = ReturnType<typeof startInPty>

/** Whether the bytes so far end inside a synchronised update; its marks may be split over chunks. */
function createFrameWatch(): (chunk: string) => boolean {
  let isInside = false
  let carried = ''
  return chunk => {
    const text = carried + chunk
    const begin = text.lastIndexOf('\u001b[?2026h')
    const end = text.lastIndexOf('\u001b[?2026l')
    if (begin !== end) isInside = begin > end
    carried = text.slice(-8)
    return isInside
  }
}
