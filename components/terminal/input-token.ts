import type { RawInput } from './input-event.ts'
import { characterKey, sequenceEvent } from './key-sequences.ts'
import { pasteStart } from './paste-reader.ts'

type Token = { length: number; event: RawInput }

const esc = '\u001b'
const maxSequenceLength = 65_536

/** The first event in the text, or nothing when its end may still be to come. */
export function readToken(text: string, more: 'mayCome' | 'noMoreComes' = 'mayCome'): Token | undefined {
  if (text[0] !== esc) return plainCharacter(text)
  if (text[1] === esc) return afterTwoEscapes(text, more)
  return afterEscape(text, more, 1)
}

function plainCharacter(text: string): Token {
  const character = String.fromCodePoint(text.codePointAt(0) ?? 0)
  const isC1 = character >= '\u0080' && character <= '\u009f'
  const event: RawInput = isC1 ? { type: 'reply', sequence: character } : characterKey(character, false)
  return { length: character.length, event }
}

/** Some terminals send Alt and an arrow as two escapes and the rest; otherwise the first was a key of its own. */
function afterTwoEscapes(text: string, more: 'mayCome' | 'noMoreComes'): Token | undefined {
  const first = { length: 1, event: characterKey(esc, false) }
  if (text.length === 2) return more === 'mayCome' ? undefined : first
  const isSequence = text[2] === '[' || text[2] === 'O'
  if (!isSequence || text.startsWith(pasteStart, 1)) return first
  return afterEscape(text, more, 2)
}

function afterEscape(text: string, more: 'mayCome' | 'noMoreComes', start: number): Token | undefined {
  const hasAlt = start === 2
  const kind = text[start]
  if (kind === undefined)
    return more === 'mayCome' ? undefined : { length: 1, event: characterKey(esc, false) }
  const isAlone = text.length === start + 1
  if (isAlone && more === 'noMoreComes') return altCharacter(text, start)
  if (kind === '[') return controlSequence(text, start, hasAlt)
  if (kind === 'O') return functionKey(text, start, hasAlt)
  if (']P_^X'.includes(kind)) return stringSequence(text, start)
  return altCharacter(text, start)
}

function altCharacter(text: string, start: number): Token {
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0)
  const event = characterKey(character, true)
  return { length: start + character.length, event }
}

function functionKey(text: string, start: number, hasAlt: boolean): Token | undefined {
  const body = text[start + 1]
  if (body === undefined) return undefined
  // Alt+O followed by something that is no function key: the two are separate keys.
  if (body < '@' || body > '~') return altCharacter(text, start)
  return { length: start + 2, event: sequenceEvent('O', body, hasAlt) }
}

function controlSequence(text: string, start: number, hasAlt: boolean): Token | undefined {
  const bodyAt = start + 1
  if (text[bodyAt] === 'M') return oldMouse(text, bodyAt)
  let end = bodyAt
  if (text[end] === '[') end++
  while (end < maxSequenceLength && isParameter(text[end] ?? '')) end++
  const final = text[end]
  if (final === undefined) return undefined
  // A byte that cannot belong to the sequence ends it unread; that byte starts the next event.
  if (final < '@' || final > '~') return dropped(text, end)
  return { length: end + 1, event: sequenceEvent('[', text.slice(bodyAt, end + 1), hasAlt) }
}

function isParameter(character: string): boolean {
  return character >= ' ' && character <= '?'
}

/** The oldest mouse report: three characters of position follow that would otherwise be typed. */
function oldMouse(text: string, bodyAt: number): Token | undefined {
  const length = bodyAt + 4
  return text.length < length ? undefined : dropped(text, length)
}

/** OSC, DCS, APC, PM and SOS run to their terminator; ESC inside that is not one ends them unread. */
function stringSequence(text: string, start: number): Token | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] ?? ''
    if (at >= maxSequenceLength) return dropped(text, at)
    if (character === '\u0007' || character === '\u009c') return dropped(text, at + 1)
    if (character === '\u0018' || character === '\u001a') return dropped(text, at + 1)
    if (character !== esc) continue
    if (text[at + 1] === undefined) return undefined
    return dropped(text, text[at + 1] === '\\' ? at + 2 : at)
  }
  return undefined
}

function dropped(text: string, length: number): Token {
  return { length, event: { type: 'reply', sequence: text.slice(0, length) } }
}
