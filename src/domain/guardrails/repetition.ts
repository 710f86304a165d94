/**
 * Calls that only repeat themselves. Two calls are equal when tool, arguments and result are, apart from what is only
 * said about them: labels, and how white space is set. Something new that is written makes what was done before count
 * no more, so that a check after each of many edits is no repetition.
 */
import { canonicalJson } from '../canonical-json.ts'
import type { ToolDeclaration } from '../tool.ts'

/** What a call is, for comparing: the same text for calls that do the same. */
export function callSignature(
  tool: Pick<ToolDeclaration, 'name' | 'inputSchema'>,
  input: Readonly<Record<string, unknown>>,
): string {
  const declared = tool.inputSchema['properties']
  const known = typeof declared === 'object' && declared !== null ? Object.keys(declared) : Object.keys(input)
  const meant = Object.entries(input).filter(([key]) => known.includes(key) && !COSMETIC.has(key))
  return `${tool.name} ${normalised(Object.fromEntries(meant))}`
}

export function resultSignature(result: unknown): string {
  return normalised(result)
}

const COSMETIC = new Set(['description', 'label', 'title', 'comment', 'note'])

function normalised(value: unknown): string {
  return canonicalJson(plain(value))
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.trim().replace(/\s+/g, ' ')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
  return value ?? null
}

/** Asked after `most` equal ones, and again after as many more; 0 = never. */
export function isRepetition(equalCalls: number, most: number): boolean {
  return most > 0 && equalCalls >= most && equalCalls % most === 0
}
