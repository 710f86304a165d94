import type { Timer } from './frame-clock.ts'

/** What was asked for by key, kept until it is old. An old value stays readable while the new one is under way. */
export interface Shelf<Value> {
  /** Never fetches. */
  peek(key: string): Fetched<Value> | undefined
  /** Fetches what is absent or old; harmless when repeated. */
  want(key: string, fetch: () => Promise<FetchOutcome<Value>>): void
  /** Makes what fits old. */
  expire(isOld: (key: string) => boolean): void
  /** Makes one old that must be read anew without a rest. */
  renew(key: string): void
  clear(): void
}

export type Fetched<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: Value }
  | { readonly kind: 'failed'; readonly message: string }

export type FetchOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: { readonly message: string } }

interface Entry<Value> {
  shown: Fetched<Value>
  state: 'fresh' | 'old' | 'underWay' | 'oldWhileUnderWay'
  /** Before this it is not read again. */
  restsUntil: number
}

const maxEntries = 200

export interface ShelfOptions {
  readonly timer: Timer
  readonly changed: () => void
  /** What grew old is read anew no sooner than this after the last time. */
  readonly restMs: number
}

export function createShelf<Value>({ timer, changed, restMs }: ShelfOptions): Shelf<Value> {
  const entries = new Map<string, Entry<Value>>()
  let isWaking = false

  async function refresh(entry: Entry<Value>, fetch: () => Promise<FetchOutcome<Value>>): Promise<void> {
    entry.state = 'underWay'
    const outcome = await fetch()
    entry.shown = outcome.ok
      ? { kind: 'ready', value: outcome.value }
      : { kind: 'failed', message: outcome.failure.message }
    entry.state = wasOutrun(entry) ? 'old' : 'fresh'
    entry.restsUntil = timer.now() + restMs
    changed()
  }

  /** Whoever still wants it then asks again. */
  function wakeAt(at: number): void {
    if (isWaking) return
    isWaking = true
    timer.after(Math.max(0, at - timer.now()), () => {
      isWaking = false
      changed()
    })
  }

  return {
    peek: key => entries.get(key)?.shown,
    want(key, fetch) {
      const known = entries.get(key)
      if (known && known.state !== 'old') return
      if (known && timer.now() < known.restsUntil) {
        wakeAt(known.restsUntil)
        return
      }
      const entry: Entry<Value> = known ?? { shown: { kind: 'loading' }, state: 'old', restsUntil: 0 }
      entries.set(key, entry)
      dropOldest(entries)
      void refresh(entry, fetch)
    },
    expire(isOld) {
      for (const [key, entry] of entries) if (isOld(key)) age(entry)
    },
    renew(key) {
      const entry = entries.get(key)
      if (!entry) return
      age(entry)
      entry.restsUntil = 0
    },
    clear: () => entries.clear(),
  }
}

function age(entry: Entry<unknown>): void {
  entry.state = entry.state === 'underWay' || wasOutrun(entry) ? 'oldWhileUnderWay' : 'old'
}

/** It became old while it was fetched, so what came is old already. */
function wasOutrun(entry: Entry<unknown>): boolean {
  return entry.state === 'oldWhileUnderWay'
}

function dropOldest(entries: Map<string, unknown>): void {
  const oldest = entries.keys().next().value
  if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
}
