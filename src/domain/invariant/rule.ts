import * as z from 'zod'
import { type Result, refuse } from '../failure.ts'

/**
 * The part of an invariant that a program can compare. Of `equals`, `max` and `min` one key has one value; of the others
 * any number of values stand beside each other.
 */
export const ruleNames = [
  'equals',
  'max',
  'min',
  'forbid',
  'allow',
  'unchanged',
  'forbid_path',
  'allow_path',
] as const
export type RuleName = (typeof ruleNames)[number]

/** What can be counted in a change set before Apply; any other key is for actors and people to keep. */
export const measuredKeys = [
  'changed_files',
  'added_files',
  'deleted_files',
  'added_lines',
  'deleted_lines',
] as const
export type MeasuredKey = (typeof measuredKeys)[number]

/** The key of every rule about paths; its value is a pattern as in tools: `src/api/**`. */
export const PATH_KEY = 'path'

export const invariantRuleSchema = z.object({
  key: z.string(),
  rule: z.enum(ruleNames),
  value: z.union([z.string(), z.number(), z.boolean()]),
})
export type InvariantRule = Readonly<z.infer<typeof invariantRuleSchema>>

export interface WrittenRule {
  readonly key?: string | undefined
  readonly rule?: string | undefined
  readonly value?: unknown
}

/** A rule as a person writes it; null when they wrote words alone. A number may come as text. */
export function readRule(written: WrittenRule): Result<InvariantRule | null> {
  const { key, rule, value } = written
  if (key === undefined && rule === undefined && value === undefined) return { ok: true, value: null }
  const name = ruleNames.find(each => each === rule)
  if (!name) return invalid(`The rule of an invariant is one of ${ruleNames.join(', ')}.`)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return invalid(`The rule ${name} needs a value: a text, a number, true or false.`)
  if (isPathRule(name)) return pathRule(name, key, value)
  const named = key?.trim()
  if (!named) return invalid(`The rule ${name} needs a key: what it is about, e.g. changed_files.`)
  if (named === PATH_KEY)
    return invalid(`Rules about paths are unchanged, forbid_path and allow_path, not ${name}.`)
  const measured = measuredKeys.some(each => each === named)
  if (name === 'max' || name === 'min' || measured) {
    const number = typeof value === 'number' ? value : Number(String(value).trim() || Number.NaN)
    if (!Number.isFinite(number)) return invalid(`${named} ${name} needs a number, not "${value}".`)
    return { ok: true, value: { key: named, rule: name, value: number } }
  }
  return { ok: true, value: { key: named, rule: name, value: typed(value) } }
}

function pathRule(rule: RuleName, key: string | undefined, value: unknown): Result<InvariantRule> {
  if (key !== undefined && key !== PATH_KEY)
    return invalid(`The rule ${rule} is about paths; leave its key out.`)
  const glob = String(value)
    .trim()
    .replace(/^(\.\/)+/, '')
  if (glob === '' || glob.startsWith('/') || glob.split('/').includes('..'))
    return invalid(`The value of ${rule} is a pattern inside the project, e.g. src/api/**.`)
  const open = openBracket(glob)
  if (open !== null)
    return invalid(`The pattern ${glob} never closes its ${open}; for the sign itself write \\${open}.`)
  return { ok: true, value: { key: PATH_KEY, rule, value: glob } }
}

/** A bracket that nothing closes; such a pattern would match no path, and the rule would hold nothing back. */
function openBracket(glob: string): string | null {
  const open: string[] = []
  for (const [sign] of glob.matchAll(/\\.|[[\]{}]/gs)) {
    const inside = open.at(-1)
    if (sign === '[' && inside !== '[') open.push(sign)
    if (sign === '{' && inside !== '[') open.push(sign)
    if ((sign === ']' && inside === '[') || (sign === '}' && inside === '{')) open.pop()
  }
  return open[0] ?? null
}

function isPathRule(rule: RuleName): boolean {
  return rule === 'unchanged' || rule === 'forbid_path' || rule === 'allow_path'
}

/** So that `true` and `"true"` of two sources are one value. */
function typed(value: string | number | boolean): InvariantRule['value'] {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function invalid(message: string) {
  return refuse('invalid_input', message, { field: 'rule' })
}

export function ruleWords({ key, rule, value }: InvariantRule): string {
  return isPathRule(rule) ? `${rule} ${value}` : `${key} ${rule} ${value}`
}

/** Why both cannot hold at once, in one sentence; null when they can. */
export function conflictOf(one: InvariantRule, other: InvariantRule): string | null {
  if (one.key !== other.key) return null
  const clash = clashOf(one, other) || clashOf(other, one)
  return clash ? `"${ruleWords(one)}" and "${ruleWords(other)}" cannot both hold` : null
}

function clashOf(one: InvariantRule, other: InvariantRule): boolean {
  const same = one.value === other.value
  switch (one.rule) {
    case 'equals':
      if (other.rule === 'equals') return !same
      if (other.rule === 'forbid') return same
      if (other.rule === 'max') return !(Number(one.value) <= Number(other.value))
      return other.rule === 'min' && !(Number(one.value) >= Number(other.value))
    // Two limits of one kind are two values for one thing: the plan's 50 is meant instead of the project's 20.
    case 'max':
      if (other.rule === 'max') return !same
      return other.rule === 'min' && Number(one.value) < Number(other.value)
    case 'min':
      return other.rule === 'min' && !same
    case 'allow':
      return other.rule === 'forbid' && same
    case 'allow_path':
      return (other.rule === 'unchanged' || other.rule === 'forbid_path') && same
    case 'forbid':
    case 'unchanged':
    case 'forbid_path':
      return false
  }
}

/** Whether a rule asks for more than those that held before. */
export function tightens({ key, rule, value }: InvariantRule, before: readonly InvariantRule[]): boolean {
  if (rule === 'allow' || rule === 'allow_path') return false
  if (rule !== 'max' && rule !== 'min') return true
  const limits = before.filter(each => each.key === key && each.rule === rule).map(each => Number(each.value))
  return !limits.some(limit => (rule === 'max' ? limit <= Number(value) : limit >= Number(value)))
}
