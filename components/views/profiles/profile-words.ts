import { moneyWord, scoreWord } from '../../words.ts'

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

/** A field of safety or guards: `max_total_cost` is `max total cost`. */
export function fieldWord(field: string): string {
  return field.replaceAll('_', ' ')
}

/** An empty list means opposite things: of categories it is all of them, on an allowlist nothing stands. */
export function valueWord(field: string, value: unknown): string {
  if (value === null || value === undefined) return unset[field] ?? 'no limit'
  if (Array.isArray(value)) {
    if (value.length > 0) return value.join(', ')
    return field === 'allowed_skill_categories' ? 'all' : 'no tool'
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return field.includes('cost') ? moneyWord(value) : String(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const unset: Readonly<Record<string, string>> = { tool_allowlist: 'any tool', tool_denylist: 'no tool' }

/** Who made a value what it is. */
export function sourceWord(source: string | undefined): string {
  switch (source) {
    case undefined:
      return ''
    case 'profile':
      return 'the profile'
    case 'parent':
      return 'the plan above it'
    case 'default':
      return 'the default'
    case 'flag':
      return 'the command line'
    case 'environment':
      return 'the environment'
    case 'global':
      return 'the settings'
    default:
      return `the ${source}`
  }
}
