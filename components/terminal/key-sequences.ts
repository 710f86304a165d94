import type { RawInput, RawKey } from './input-event.ts'

const noModifiers = { ctrl: false, alt: false, shift: false }

const csiLetters: Record<string, string> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'begin',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
}

const csiNumbers: Record<number, string> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
}

const namedCodes: Record<number, string> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
}

/** One typed character, or a control character, as a key. */
export function characterKey(character: string, hasAlt: boolean): RawKey {
  const code = character.codePointAt(0) ?? 0
  const key = (name: string, change: Partial<RawKey> = {}): RawKey => ({
    ...plainKey(name),
    alt: hasAlt,
    ...change,
  })
  const named = namedCodes[code]
  if (named !== undefined) return key(named)
  // Enter typed while the terminal was still in line mode arrives as a line feed.
  if (code === 0x0a) return key('enter')
  if (code === 0) return key('space', { ctrl: true })
  if (code <= 0x1a) return key(String.fromCharCode(code + 0x60), { ctrl: true })
  if (code < 0x20) return key(String.fromCharCode(code + 0x40), { ctrl: true })
  return key(character === ' ' ? 'space' : character, { text: hasAlt ? '' : character })
}

/** A complete `ESC [` or `ESC O` sequence, without its introducer. */
export function sequenceEvent(introducer: '[' | 'O', body: string, hasAlt: boolean): RawInput {
  const event = (introducer === 'O' ? ss3(body) : csi(body)) ?? {
    type: 'reply' as const,
    sequence: `\u001b${introducer}${body}`,
  }
  return event.type === 'key' && hasAlt ? { ...event, alt: true } : event
}

function ss3(body: string): RawInput | undefined {
  if (body === 'M') return plainKey('enter')
  const name = csiLetters[body]
  return name === undefined ? undefined : plainKey(name)
}

function csi(body: string): RawInput | undefined {
  const final = body.at(-1) ?? ''
  const params = body.slice(0, -1)
  if (params.startsWith('<')) return mouse(params.slice(1), final)
  if (params === '[') return linuxConsoleKey(final)
  if (params === '' && (final === 'I' || final === 'O')) return { type: 'focus', hasFocus: final === 'I' }
  if (params === '' && final === 'Z') return { ...plainKey('tab'), shift: true }
  if (!/^[\d;:]*$/.test(params)) return undefined
  const fields = params.split(';').map(field => field.split(':').map(Number))
  if (final === 'u') return kittyKey(fields)
  if (final === '~') return numberedKey(fields)
  return letterKey(final, params, fields)
}

function letterKey(final: string, params: string, fields: number[][]): RawInput | undefined {
  const name = csiLetters[final]
  // `CSI row;column R` is also the answer to a cursor query; a modified F3 is always `1;modifier`.
  if (name === undefined || (final === 'R' && params !== '' && !/^1;\d{1,2}$/.test(params))) return undefined
  return { ...plainKey(name), ...modifiersOf(fields[1]) }
}

function numberedKey(fields: number[][]): RawInput | undefined {
  const code = fields[0]?.[0] ?? 0
  if (code === 27) return codeKey(fields[2]?.[0] ?? 0, fields[1])
  const name = csiNumbers[code]
  return name === undefined ? undefined : { ...plainKey(name), ...modifiersOf(fields[1]) }
}

function kittyKey(fields: number[][]): RawInput | undefined {
  return codeKey(fields[0]?.[0] ?? 0, fields[1], fields[0]?.[1])
}

function codeKey(code: number, modifierField: number[] | undefined, shifted?: number): RawInput | undefined {
  const modifiers = modifiersOf(modifierField)
  const named = namedCodes[code]
  if (named !== undefined) return { ...plainKey(named), ...modifiers }
  // Codes of kitty's private area are keys without a character (media keys, modifiers alone).
  const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xf8ff)
  if (!isCharacter) return undefined
  const character = typedCharacter(code, shifted, modifiers.shift)
  const text = modifiers.ctrl || modifiers.alt ? '' : character
  const name = character === ' ' ? 'space' : character
  return { ...plainKey(name), ...modifiers, shift: false, text }
}

function typedCharacter(code: number, shifted: number | undefined, hasShift: boolean): string {
  if (hasShift && shifted && shifted > 0x20 && shifted < 0xd800) return String.fromCodePoint(shifted)
  const character = String.fromCodePoint(code)
  return hasShift ? character.toUpperCase() : character
}

function modifiersOf(field: number[] | undefined) {
  const bits = Math.max(0, (field?.[0] ?? 1) - 1)
  const phase = field?.[1] === 2 ? 'repeat' : field?.[1] === 3 ? 'release' : 'press'
  return {
    shift: (bits & 1) !== 0,
    alt: (bits & 2) !== 0,
    ctrl: (bits & 4) !== 0,
    phase: phase as RawKey['phase'],
  }
}

function mouse(params: string, final: string): RawInput | undefined {
  const [code, column, row] = params.split(';').map(Number)
  if (!/^\d+;\d+;\d+$/.test(params) || (final !== 'M' && final !== 'm')) return undefined
  if (code === undefined || column === undefined || row === undefined) return undefined
  const isSidewaysWheel = (code & 66) === 66
  if (isSidewaysWheel) return undefined
  const modifiers = { shift: (code & 4) !== 0, alt: (code & 8) !== 0, ctrl: (code & 16) !== 0 }
  return { type: 'mouse', action: mouseAction(code, final), button: code & 3, column, row, ...modifiers }
}

function mouseAction(code: number, final: string) {
  if ((code & 64) !== 0) return (code & 1) === 0 ? 'wheelUp' : 'wheelDown'
  if ((code & 32) !== 0) return 'move'
  return final === 'M' ? 'press' : 'release'
}

function linuxConsoleKey(final: string): RawInput | undefined {
  const number = 'ABCDE'.indexOf(final) + 1
  return number === 0 ? undefined : plainKey(`f${number}`)
}

function plainKey(name: string): RawKey {
  return { type: 'key', name, text: '', phase: 'press', ...noModifiers }
}
