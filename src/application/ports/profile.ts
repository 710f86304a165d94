import type { Result } from '../../domain/failure.ts'
import type { AutomationProfile } from '../../domain/profile/profile.ts'

/** A profile of the user's own. */
export interface RegisteredProfile {
  readonly name: string
  readonly profile: AutomationProfile
  /** What it was read from. */
  readonly text: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ProfileRepository {
  put(registered: RegisteredProfile): void
  find(name: string): RegisteredProfile | null
  list(): RegisteredProfile[]
  remove(name: string): void
}

export interface ParsedProfile {
  readonly profile: AutomationProfile
  /** Sentences with their places: what is taken, and may surprise. */
  readonly notices: readonly string[]
}

/** Reads profiles that people wrote. `all`: one that leaves a threshold out is refused. */
export interface ProfileReader {
  parse(source: {
    readonly file: string
    readonly text: string
    readonly thresholds: 'some' | 'all'
  }): Result<ParsedProfile>
}
