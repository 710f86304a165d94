import * as z from 'zod'
import type { StatedInvariant } from '../../domain/invariant/invariant.ts'
import { readRule } from '../../domain/invariant/rule.ts'
import { check, type KeyError } from '../yaml/schema-check.ts'

const sentence = z.string().trim().min(1, 'must not be empty')

const withRule = z.strictObject({
  text: sentence,
  key: z.string().optional(),
  rule: z.string().optional(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
})

/** Each is a sentence, or a sentence with the rule that a program compares. */
export function readInvariants(written: unknown, errors: KeyError[]): StatedInvariant[] {
  const items: readonly unknown[] = Array.isArray(written) ? written : []
  return items.flatMap((item, at) => {
    const path = ['invariants', at]
    if (typeof item !== 'object' || item === null) {
      const text = check(sentence, item, path, errors)
      return text === null ? [] : [{ text, rule: null }]
    }
    const found = check(withRule, item, path, errors)
    if (!found) return []
    const rule = readRule(found)
    if (!rule.ok) errors.push({ path, message: rule.failure.message })
    return rule.ok ? [{ text: found.text, rule: rule.value }] : []
  })
}
