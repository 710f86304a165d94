import type { Size } from '../../stores/ui.ts'
import { pageInside } from '../layout.ts'

/** Rows of the patch: one row of the page says which file it is. */
export function diffHeight(size: Size): number {
  return pageInside(size).height - 1
}

/** Cells for the list of files; without room for it, none. */
export function fileListWidth(size: Size): number {
  return size.columns < 100 ? 0 : Math.min(48, Math.round(size.columns * 0.3))
}
