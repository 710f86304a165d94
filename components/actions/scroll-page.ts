import { pageInside } from '../layout.ts'
import type { Screen } from '../screen.ts'

type Move = 'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last'

/** The six moving actions of a place, all by one function of how many rows to go. */
export function moves(
  moveBy: (screen: Screen, steps: number) => void,
): Record<Move, (screen: Screen) => void> {
  return {
    up: screen => moveBy(screen, -1),
    down: screen => moveBy(screen, 1),
    pageUp: screen => moveBy(screen, -pageHeight(screen)),
    pageDown: screen => moveBy(screen, pageHeight(screen)),
    first: screen => moveBy(screen, Number.NEGATIVE_INFINITY),
    last: screen => moveBy(screen, Number.POSITIVE_INFINITY),
  }
}

function pageHeight(screen: Screen): number {
  return pageInside(screen.store.ui().size).height
}
