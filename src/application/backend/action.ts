import type { Action } from '../../domain/action.ts'

export interface ActionEntry {
  readonly action: Action
  readonly origin: 'built-in' | 'registered'
  readonly unavailable: string | null
}
