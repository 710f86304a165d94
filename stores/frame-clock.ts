/** Time as the stores see it. */
export interface Timer {
  now(): number
  after(ms: number, run: () => void): () => void
}

/** Decides when what changed is shown: what a key caused at once, data at most once in 33 ms, and nothing when nothing changed. */
export interface FrameClock {
  soon(): void
  now(): void
  stop(): void
}

const frameMs = 33

export function createFrameClock(timer: Timer, publish: () => void): FrameClock {
  let lastAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | null = null

  function show(): void {
    cancel?.()
    cancel = null
    lastAt = timer.now()
    publish()
  }

  return {
    now: show,
    soon() {
      cancel ??= timer.after(Math.max(0, lastAt + frameMs - timer.now()), show)
    },
    stop() {
      cancel?.()
      cancel = null
    },
  }
}
