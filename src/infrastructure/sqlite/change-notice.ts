import type SQLite from 'better-sqlite3'
import type { Transactions } from './transactions.ts'

const POLL_MS = 50

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
    timer = setInterval(poll, POLL_MS).unref()
  }

  function stop(): void {
    if (timer) clearInterval(timer)
    timer = null
  }

  function poll(): void {
    const version = dataVersion.get() ?? 0
    if (version === seenVersion) return
    seenVersion = version
    tellIfGrown()
  }

  function tellIfGrown(): void {
    if (listeners.size === 0) return
    const seq = lastSeq()
    if (seq === seenSeq) return
    seenSeq = seq
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
