import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyId } from '../../../components/keymap-row.ts'
import type { InputEvent } from '../../../components/terminal/input-event.ts'
import { createInputParser } from '../../../components/terminal/input-parser.ts'
import { createFakeClock } from '../../support/clock.ts'

const encoder = new TextEncoder()

/** Feeds the pieces, lets the timers run out, and returns what came. */
function parse(...pieces: (string | Uint8Array)[]): InputEvent[] {
  const clock = createFakeClock()
  const events: InputEvent[] = []
  const parser = createInputParser(clock, event => events.push(event))
  for (const piece of pieces) parser.push(typeof piece === 'string' ? encoder.encode(piece) : piece)
  clock.advance(5000)
  parser.close()
  return events
}

function oneByOne(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, byte => Uint8Array.of(byte))
}

function short(event: InputEvent): string {
  switch (event.type) {
    case 'key':
      return keyId(event) + (event.phase === 'press' ? '' : `:${event.phase}`)
    case 'paste':
      return `paste(${event.text})`
    case 'mouse':
      return `${event.action}@${event.column},${event.row}`
    case 'focus':
      return event.hasFocus ? 'focus' : 'blur'
    case 'reply':
      return 'reply'
  }
}

function withoutOrigin(event: InputEvent): object {
  const { at: _at, chunk: _chunk, nth: _nth, of: _of, ...rest } = event
  return rest
}

const table: [bytes: string, events: string[]][] = [
  ['a', ['a']],
  ['jj', ['j', 'j']],
  ['X?', ['X', '?']],
  [' ', ['space']],
  ['\r', ['enter']],
  ['\n', ['enter']],
  ['y\nyy', ['y', 'enter', 'y', 'y']],
  ['\t', ['tab']],
  ['\u007f\b', ['backspace', 'backspace']],
  ['\u0003\u000c\u001a', ['ctrl+c', 'ctrl+l', 'ctrl+z']],
  ['\u0000\u001c\u001f', ['ctrl+space', 'ctrl+\\', 'ctrl+_']],
  ['\u001b', ['escape']],
  ['\u001b\u001b', ['escape', 'escape']],
  ['\u001ba', ['alt+a']],
  ['\u001b\r', ['alt+enter']],
  ['\u001b\u007f', ['alt+backspace']],
  ['\u001b[A\u001b[B\u001b[C\u001b[D', ['up', 'down', 'right', 'left']],
  ['\u001bOA\u001bOH\u001bOF', ['up', 'home', 'end']],
  ['\u001b[1;5C\u001b[1;3D\u001b[1;2A', ['ctrl+right', 'alt+left', 'shift+up']],
  ['\u001b\u001b[A', ['alt+up']],
  ['\u001b[H\u001b[F\u001b[1~\u001b[4~', ['home', 'end', 'home', 'end']],
  ['\u001b[5~\u001b[6~\u001b[3~\u001b[2~', ['pageup', 'pagedown', 'delete', 'insert']],
  ['\u001b[3;5~', ['ctrl+delete']],
  ['\u001b[Z', ['shift+tab']],
  ['\u001bOP\u001b[15~\u001b[24~\u001b[[A', ['f1', 'f5', 'f12', 'f1']],
  ['\u001b[1;2P\u001b[1;5R', ['shift+f1', 'ctrl+f3']],
  ['\u001b[13;2u\u001b[13;5u', ['shift+enter', 'ctrl+enter']],
  ['\u001b[97;1u\u001b[97;1:2u\u001b[97;1:3u', ['a', 'a:repeat', 'a:release']],
  ['\u001b[97:65;2u\u001b[99;5u', ['A', 'ctrl+c']],
  ['\u001b[1;1:3A', ['up:release']],
  ['\u001b[27;5;13~', ['ctrl+enter']],
  ['\u001b[57358u', ['reply']],
  ['\u001b[<0;5;7M\u001b[<0;5;7m', ['press@5,7', 'release@5,7']],
  ['\u001b[<64;1;2M\u001b[<65;1;2M', ['wheelUp@1,2', 'wheelDown@1,2']],
  ['\u001b[M !!a', ['reply', 'a']],
  ['\u001b[I\u001b[O', ['focus', 'blur']],
  ['\u001b]11;rgb:0000/0000/0000\u0007a', ['reply', 'a']],
  ['\u001b]11;rgb:0000/0000/0000\u001b\\a', ['reply', 'a']],
  ['\u001bP>|XTerm(1)\u001b\\a', ['reply', 'a']],
  ['\u001b[?62;4c\u001b[12;40R', ['reply', 'reply']],
  ['\u001b[12\u0001', ['reply', 'ctrl+a']],
  ['\u001b]0;begun', ['reply']],
  ['\u001b[', ['alt+[']],
  ['\u001b[1;', ['reply']],
  ['é你🙂', ['é', '你', '🙂']],
  ['\u001b[200~two\r\nlines\u001b[201~', ['paste(two\nlines)']],
  ['\u001b[200~a\r\u001b[201~b', ['paste(a\n)', 'b']],
  ['\u001b[200~\u001b[31mred\u001b[201~', ['paste(\u001b[31mred)']],
  ['\u001b[200~never ended\u001b[20', ['paste(never ended\u001b[20)']],
  ['\u001b\u001b[200~pasted\u001b[201~', ['escape', 'paste(pasted)']],
  ['\u001b[201~', ['reply']],
]

describe.each(table)('the bytes %j', (bytes, events) => {
  test('fed whole give the expected events', () => {
    expect(parse(bytes).map(short)).toEqual(events)
  })

  test('fed byte by byte give the same', () => {
    expect(parse(...oneByOne(encoder.encode(bytes))).map(short)).toEqual(events)
  })
})

test('events of one read know their chunk, their place and how many there were', () => {
  const origins = parse('ab', 'c').map(({ chunk, nth, of }) => ({ chunk, nth, of }))
  expect(origins).toEqual([
    { chunk: 0, nth: 0, of: 2 },
    { chunk: 0, nth: 1, of: 2 },
    { chunk: 1, nth: 0, of: 1 },
  ])
})

test('a lone Esc is told after 30 ms and not before', () => {
  const clock = createFakeClock()
  const events: InputEvent[] = []
  const parser = createInputParser(clock, event => events.push(event))
  parser.push(encoder.encode('\u001b'))
  clock.advance(29)
  expect(events).toEqual([])
  clock.advance(1)
  expect(events.map(short)).toEqual(['escape'])
})

test('a paste whose end never comes stops taking keys after a second', () => {
  const clock = createFakeClock()
  const events: InputEvent[] = []
  const parser = createInputParser(clock, event => events.push(event))
  parser.push(encoder.encode('\u001b[200~text'))
  clock.advance(1000)
  parser.push(encoder.encode('q'))
  expect(events.map(short)).toEqual(['paste(text)', 'q'])
  expect(events[0]).toMatchObject({ isComplete: false })
})

test('a paste beyond a million characters is cut and says so', () => {
  const [event] = parse(`\u001b[200~${'x'.repeat(1_200_000)}\u001b[201~`)
  expect(event).toMatchObject({ type: 'paste', isTruncated: true, isComplete: true })
  expect(event?.type === 'paste' && event.text.length).toBe(1_000_000)
})

const likelyBytes = fc.array(
  fc.oneof(
    fc.constantFrom(...[...'\u001b[]OP~;:<Mm0123ABRuIa\\\u0007\r\u007f'].map(c => c.charCodeAt(0))),
    fc.integer({ min: 0, max: 255 }),
  ),
  { maxLength: 60 },
)
const pieces = fc.oneof(
  likelyBytes,
  fc.constantFrom(...table.map(([bytes]) => Array.from(encoder.encode(bytes)))),
  fc.constant(Array.from(encoder.encode('\u001b[200~'))),
)
const anyInput = fc.array(pieces, { maxLength: 6 }).map(list => Uint8Array.from(list.flat()))

test('any bytes are read without an error, and how they were split changes no event', () => {
  fc.assert(
    fc.property(anyInput, fc.array(fc.nat({ max: 300 }), { maxLength: 5 }), (bytes, cuts) => {
      const edges = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
      const parts = edges.slice(1).map((edge, index) => bytes.slice(edges[index], edge))
      const whole = parse(bytes).map(withoutOrigin)
      expect(parse(...parts).map(withoutOrigin)).toEqual(whole)
      expect(parse(...oneByOne(bytes)).map(withoutOrigin)).toEqual(whole)
    }),
    process.env['LONG'] === '1' ? { numRuns: 50_000 } : { numRuns: 1000, seed: 8 },
  )
})
