import { describe, expect, test } from 'vitest'
import { parseCommand } from '../../../src/infrastructure/shell/parse-command.ts'

/** Words, with ? for what is known only when it runs and + for what may be several words; then files and input. */
function commandsIn(text: string): string[] | string {
  const parsed = parseCommand(text)
  if (parsed.kind === 'unclear') return parsed.reason
  return parsed.commands.map(({ words, files, input }) =>
    [
      ...words.map(({ value, splits }) => value.replaceAll('\0', '?') + (splits ? '+' : '')),
      ...files.map(({ direction, target }) => `${direction}:${target.value}`),
      ...(input.kind === 'none' ? [] : [input.kind]),
    ].join(' '),
  )
}

describe('a command line', () => {
  test.each<[string, string[]]>([
    ['npm test', ['npm test']],
    ['a "b c" d\\ e \'f\' # g', ['a b c d e f']],
    ['a && b | c; d &', ['a', 'b', 'c piped', 'd']],
    ['a $X "$Y" *.md ~/b "$@"', ['a ?+ ? ?.md ~/b ?+']],
    ['a $(b $(c))', ['a ?+', 'b ?+', 'c']],
    ['a < in > out 2>&1', ['a read:in write:out piped']],
    ['{ a; b; } > out', ['a', 'b', ' write:out'.trim()]],
    ['sh <<END\na $(b)\nEND', ['sh text', 'b']],
    ['f() { a; }; f', ['a', 'f']],
    ['[[ -f a ]] && b', ['b']],
  ])('%s has these commands', (text, commands) => {
    expect(commandsIn(text)).toEqual(commands)
  })

  test.each([
    ['a "', 'it cannot be read (unterminated double quote)'],
    ["echo $'a\\'; b #'", "shells differ in how they read $'...'"],
    ['((a b))', 'shells differ in how they read ((...))'],
    ['[[ a && b ]]', 'shells differ in how they read [[...]]'],
    ['a\rb', 'it has control characters in it'],
    ['a;'.repeat(401), 'it has more than 400 commands in it'],
  ])('%s is not guessed at', (text, reason) => {
    expect(commandsIn(text)).toBe(reason)
  })

  test('says where in the line each part stands', () => {
    const parsed = parseCommand('a && b $(c)')
    const spans = parsed.kind === 'parsed' ? parsed.commands.map(({ span }) => [span.start, span.end]) : []
    expect(spans).toEqual([
      [0, 1],
      [5, 11],
      [9, 10],
    ])
  })
})
