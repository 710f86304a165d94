import type { Environment } from '@marcbachmann/cel-js'
import * as z from 'zod'
import { proposeScopes } from '../../domain/actor/propose-scopes.ts'
import { fromCel } from './cel-values.ts'

/** What recipes can call beyond CEL's own functions. All are pure. */
export function registerFunctions(environment: Environment): void {
  environment
    .registerFunction('scopes(dyn, string): list', scopes)
    .registerFunction('word_pattern(string): string', wordPattern)
    .registerFunction('literal_replacement(string): string', literalReplacement)
}

const hitsSchema = z.object({
  paths: z.array(z.string()),
  matches: z.array(z.object({ path: z.string() })),
  count: z.number(),
  truncated: z.boolean(),
})

/** Options for a decision about where to work, from a search's result. */
function scopes(hits: unknown, glob: string): unknown {
  const value = fromCel(hits)
  const read = hitsSchema.safeParse(value.ok ? value.value : null)
  if (!read.success) throw new Error('scopes() needs the result of a search')
  return proposeScopes(read.data, glob)
}

/** A regular expression that matches the text as a whole word only. */
function wordPattern(text: string): string {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return `(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`
}

/** A replacement that stands for itself where `$` would mean something. */
function literalReplacement(text: string): string {
  return text.replaceAll('$', '$$$$')
}
