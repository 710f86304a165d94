/**
 * The first row of a list whose selected row stands `offset` rows below the upper edge. The offset, not the first row,
 * is what is remembered: so the selected one keeps its place on the glass while rows come and go above it.
 */
export function firstRow(view: { row: number; offset: number; height: number; count: number }): number {
  const { row, offset, height, count } = view
  const inside = Math.max(0, Math.min(offset, height - 1))
  return Math.max(0, Math.min(row - inside, count - height))
}

export function moveBy(row: number, steps: number, count: number): number {
  return Math.max(0, Math.min(row + steps, count - 1))
}

/** A text's first visible row, after a move. */
export function scrollBy(top: number, steps: number, view: { count: number; height: number }): number {
  return Math.max(0, Math.min(top + steps, Math.max(0, view.count - view.height)))
}
