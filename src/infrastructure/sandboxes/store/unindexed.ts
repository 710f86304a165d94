import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { joinNul, splitNul } from './nul-list.ts'

/**
 * New names that were recorded without git's index, beside the index that lacks them. Git must be told of them before it
 * looks at the folder by itself: it would pass over one that is ignored by then, and the recorded file would be lost.
 */
export function noteUnindexed(index: string, names: readonly Buffer[]): void {
  const known = readUnindexed(index)
  const fresh = names.filter(name => !known.some(each => each.equals(name)))
  if (fresh.length > 0) keepUnindexed(index, [...known, ...fresh])
}

export function readUnindexed(index: string): Buffer[] {
  try {
    return splitNul(readFileSync(listBeside(index)))
  } catch {
    return []
  }
}

/** These and no others are recorded and not in the index. */
export function keepUnindexed(index: string, names: readonly Buffer[]): void {
  if (names.length === 0) rmSync(listBeside(index), { force: true })
  else writeFileSync(listBeside(index), joinNul(names))
}

function listBeside(index: string): string {
  return `${index}.unindexed`
}
