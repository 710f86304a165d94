import type { ProcessIdentity } from '../../domain/plan/journal.ts'

export interface Clock {
  /** ISO 8601, UTC. */
  now(): string
  /** Resolves after `ms`; rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export interface Host {
  readonly process: ProcessIdentity
  isAlive(process: ProcessIdentity): boolean
  readonly dataDir: string
  /** Who answers gates here, e.g. the login name. */
  readonly user: string
  /** Whether a plan's command started this process. */
  readonly isCommandOfPlan: boolean
}

export interface Diagnostics {
  run(folder: string | null): Promise<readonly DiagnosticCheck[]>
}

export interface DiagnosticCheck {
  readonly name: string
  /** info: good to know, and nothing that is well or not. */
  readonly status: 'ok' | 'warn' | 'error' | 'info'
  readonly message: string
  /** What to do about it; null where there is nothing to do. */
  readonly remedy: string | null
}

export interface Confinement {
  readonly kind: 'bubblewrap' | 'none'
  /** The whole sentence for people. */
  readonly notice: string
  /** The user switched it off; it is not missing. */
  readonly isSwitchedOff: boolean
}
