import { homeLayout, paneWidth } from '../layout.ts'
import { plainProps } from '../plain-props.ts'
import type { Screen } from '../screen.ts'
import { inspectorRows } from '../views/home-inspector.ts'

/** How many rows the open tab has, so that scrolling stops at its end. */
export function inspectorRowCount(screen: Screen): number {
  const { size, focus } = screen.store.ui()
  const width = paneWidth(homeLayout(size, focus), 'inspector')
  return inspectorRows(plainProps(screen), Math.max(1, width - 2)).length
}
