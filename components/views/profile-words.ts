import { scoreWord } from '../words.ts'

/** A threshold as what it means for the person in front of the screen. */
export function thresholdWord(threshold: number): string {
  if (threshold <= 0) return 'never asks'
  return threshold >= 1 ? 'always asks' : `asks below ${scoreWord(threshold)}`
}

/** The same in a table's cell. */
export function thresholdCell(threshold: number): string {
  if (threshold <= 0) return 'never'
  return threshold >= 1 ? 'always' : `<${scoreWord(threshold)}`
}
