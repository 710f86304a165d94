import type SQLite from 'better-sqlite3'
import type { Transactions } from './transactions.ts'

const POLL_MS = 50
/** While nothing happens there is no hurry: a screen that stands idle must cost next to nothing. */
const QUIET_POLL_MS = 200
const LOOKS_UNTIL_QUIET = 100

/**
 * Tells listeners that events were added: after the commit when this process added them, within the poll time when
 * another did. `data_version` changes with every foreign commit and is read from shared memory; only when it moved is
 * the log itself looked at. Without listeners nothing runs, and the timer keeps no process alive.
 */
export function changeNotice(db: SQLite.Database, transactions: Transactions, lastSeq: () => number) {
  const listeners = new Set<() => void>()
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck()
  let timer: NodeJS.Timeout | null = null
  let seenVersion = 0
  let seenSeq = 0
  let looksInVain = 0

  transactions.onCommit(tellIfGrown)

  function onChange(listener: () => void): () => void {
    // A listener of its own for each call: the same function may be given twice.
    const own = () => listener()
    if (listeners.size === 0) start()
    listeners.add(own)
    return () => {
      listeners.delete(own)
      if (listeners.size === 0) stop()
    }
  }

  function start(): void {
    seenVersion = dataVersion.get() ?? 0
    seenSeq = lastSeq()
    looksInVain = 0
    lookAgain()
  }

  function lookAgain(): void {
    const pause = looksInVain < LOOKS_UNTIL_QUIET ? POLL_MS : QUIET_POLL_MS
    timer = setTimeout(poll, pause).unref()
  }

  function stop(): void {
    if (timer) clearTimeout(timer)
    timer = null
  }

  function poll(): void {
    // First of all, so that a look that fails is not the last one.
    lookAgain()
    const version = dataVersion.get() ?? 0
    if (version === seenVersion) {
      looksInVain++
      return
    }
    seenVersion = version
    looksInVain = 0
    tellIfGrown()
  }

  function tellIfGrown(): void {
    if (listeners.size === 0) return
    const seq = lastSeq()
    if (seq === seenSeq) return
    seenSeq = seq
    looksInVain = 0
    for (const listener of [...listeners]) callApart(listener)
  }

  return {
    onChange,
    close: () => {
      listeners.clear()
      stop()
    },
  }
}

/** The commit has happened: what a listener throws must not look like its failure. It ends up as an uncaught error. */
function callApart(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
