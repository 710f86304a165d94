import type { DiffLayout, Size } from '../../../stores/ui.ts'
import { pageInside } from '../../layout.ts'

/** Rows of the patch: one row of the page says which file it is; side by side, one more says what each side is. */
export function diffHeight(size: Size, layout: DiffLayout): number {
  return pageInside(size).height - (layout === 'sideBySide' ? 2 : 1)
}

/** Cells for the list of files; without room for it, none. */
export function fileListWidth(size: Size, layout: DiffLayout): number {
  return size.columns < (layout === 'sideBySide' ? 150 : 100)
    ? 0
    : Math.min(48, Math.round(size.columns * 0.3))
}
