import type { Shelves } from '../../stores/shelves.ts'
import type { Look } from '../look.ts'
import type { Situation } from '../situation.ts'

/** What every view is given: what is known, what was fetched, and how to draw. */
export interface ViewProps {
  readonly situation: Situation
  readonly shelves: Shelves
  readonly look: Look
}
