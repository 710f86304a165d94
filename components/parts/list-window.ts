/** The first visible row after a change: the selected one stays in sight, and no empty rows show while there are others. */
export function topRow(view: {
  top: number
  visible: number
  count: number
  selected: number
  /** Rows kept in sight above and below the selected one. */
  margin?: number
}): number {
  const { visible, count, selected } = view
  const margin = Math.min(view.margin ?? 0, Math.max(0, Math.floor((visible - 1) / 2)))
  const highest = Math.max(0, count - visible)
  const inBounds = clamp(view.top, 0, highest)
  if (selected < 0) return inBounds
  const fromBelow = Math.max(inBounds, selected - visible + 1 + margin)
  return clamp(Math.min(fromBelow, selected - margin), 0, highest)
}

/** The identity `steps` away from the selected one, stopping at the ends. Where the selected one is gone: the first. */
export function moveSelection<Id>(
  ids: readonly Id[],
  selected: Id | undefined,
  steps: number,
): Id | undefined {
  const index = selected === undefined ? -1 : ids.indexOf(selected)
  return ids[index < 0 ? 0 : clamp(index + steps, 0, ids.length - 1)]
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}
