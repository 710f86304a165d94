import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { joinNul, splitNul } from './nul-list.ts'

/**
 * New names that were recorded without git's index, beside the index that lacks them. Git must be told of them before it
 * looks at the folder by itself: it would pass over one that is ignored by then, and the recorded file would be lost.
 */
export function noteUnindexed(index: string, names: readonly Buffer[]): void {
  if (names.length > 0) appendFileSync(listBeside(index), joinNul(names))
}

export function readUnindexed(index: string): Buffer[] {
  try {
    return splitNul(readFileSync(listBeside(index)))
  } catch {
    return []
  }
}

/** The index has them. */
export function forgetUnindexed(index: string): void {
  rmSync(listBeside(index), { force: true })
}

function listBeside(index: string): string {
  return `${index}.unindexed`
}
