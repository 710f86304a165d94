import type { RpcFailure } from '../../a2a/client/rpc-failure.ts'
import { sanitizeLines } from '../../text/sanitize.ts'
import type { Paper } from './paper.ts'

/** What happened, to what, and what to do next; then the facts that the sentence does not hold. */
export function failureLines({ message, facts }: RpcFailure, paper: Paper): string[] {
  const [first = '', ...rest] = sanitizeLines(message)
  const listed = listsIn(facts).filter(text => !message.includes(text))
  return [
    `${paper.paint('bad', paper.marks.failed)} ${first}`,
    ...rest.map(line => `  ${line}`),
    ...listed.flatMap(text => sanitizeLines(text).map(line => `  ${paper.marks.dot} ${line}`)),
  ]
}

const listNames = ['errors', 'candidates', 'nearest', 'conflicts', 'known']

function listsIn(facts: RpcFailure['facts']): string[] {
  return listNames.flatMap(name => {
    const list = facts[name]
    return Array.isArray(list) ? list.map(itemText) : []
  })
}

function itemText(item: unknown): string {
  if (typeof item === 'string') return item
  if (typeof item !== 'object' || item === null) return JSON.stringify(item)
  const { message, reason, path, ...others } = item as Record<string, unknown> // any object may be read by name
  const place = placeText(others)
  const text = [path, message ?? reason].filter(part => typeof part === 'string' && part !== '').join(': ')
  return text === '' ? JSON.stringify(item) : place + text
}

/** Spelt as messages spell it, so that a place which a message holds already is not said twice. */
function placeText({ file, line, column }: Record<string, unknown>): string {
  const place = [file, line, column].filter(part => typeof part === 'string' || typeof part === 'number')
  return place.length === 0 ? '' : `${place.join(':')} `
}
