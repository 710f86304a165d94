/** Fields of a question's subject: their shape is known by its kind only, so they are read with care. */
import { wrapped } from '../look.ts'
import type { Segment } from './format-line.ts'

export type Facts = Readonly<Record<string, unknown>>

/** Names and whole values, one below the other; long text keeps its lines. */
export function factRows(facts: Facts, width: number): Segment[][] {
  return Object.entries(facts).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    const label = name.replaceAll('_', ' ').replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    if (Array.isArray(value))
      return [
        ...wrapped(`${label}:`, width, 'muted'),
        ...value.flatMap(each => wrapped(itemText(each), width, 'text', 2)),
      ]
    const text = textOf(value)
    if (!text.includes('\n') && label.length + text.length + 2 <= width)
      return [
        [
          { text: `${label}: `, tone: 'muted' as const },
          { text, tone: 'text' as const },
        ],
      ]
    return [...wrapped(`${label}:`, width, 'muted'), ...wrapped(text, width, 'text', 2)]
  })
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asFacts(value: unknown): Facts {
  return value !== null && typeof value === 'object' ? (value as Facts) : {} // an object's own fields, read as unknown
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 1)
}

function itemText(value: unknown): string {
  if (value === null || typeof value !== 'object') return textOf(value)
  return Object.values(value).map(textOf).join(': ')
}
