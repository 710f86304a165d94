import * as z from 'zod'
import type { Result } from '../../domain/failure.ts'
import { literalPattern, regexPattern, type TextPattern } from '../files/find-text.ts'

export const wordsField = z.string().min(1)
export const regexField = z
  .boolean()
  .default(false)
  .describe('whether it is a JavaScript regular expression (flags g, m, u) instead of plain words')

export function textPattern(words: string, regex: boolean): Result<TextPattern> {
  return regex ? regexPattern(words) : { ok: true, value: literalPattern(words) }
}
