/** Time as the terminal code sees it; tests hand in their own. */
export type Clock = {
  now(): number
  /** Runs once, not before that time has passed; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const dueAt = performance.now() + ms
    let timer = setTimeout(fire, ms)
    // Node counts in whole milliseconds and may be one too early, when what was waited for is not yet so.
    function fire(): void {
      const left = dueAt - performance.now()
      if (left > 0) timer = setTimeout(fire, Math.ceil(left))
      else run()
    }
    return () => clearTimeout(timer)
  },
}
