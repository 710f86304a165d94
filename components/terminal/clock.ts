/** Time as the terminal code sees it; tests hand in their own. */
export type Clock = {
  now(): number
  /** Runs once later; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
