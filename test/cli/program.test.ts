import { describe, expect, it, test } from 'vitest'
import { methods } from '../../src/a2a/protocol/methods.ts'
import { commands, groups } from '../../src/cli/commands.ts'
import { helpOf, parseCommandLine } from '../../src/cli/program.ts'

describe('the table of commands', () => {
  it('names every command once', () => {
    const words = commands.map(row => row.words)
    expect(words).toEqual([...new Set(words)])
  })

  it('explains every group of commands and no other', () => {
    const prefixes = commands.flatMap(({ words }) => {
      const all = words.split(' ')
      return all.slice(0, -1).map((_, at) => all.slice(0, at + 1).join(' '))
    })
    expect(Object.keys(groups).sort()).toEqual([...new Set(prefixes)].sort())
  })

  it('does not offer a command whose method is not available', () => {
    const unavailable = Object.entries(methods).flatMap(([name, row]) => ('available' in row ? [name] : []))
    const wrong = commands.filter(
      row => row.load !== 'later' && row.methods.some(method => unavailable.includes(method)),
    )
    expect(wrong).toEqual([])
  })

  it('reaches every method of plans, gates, grants, actions, projects and settings that is available', () => {
    const called = new Set<string>(commands.flatMap(row => row.methods))
    const missing = Object.entries(methods)
      .filter(([name, row]) => !('available' in row) && !called.has(name))
      .map(([name]) => name)
    // What the screen calls, and what is left to `agents call`: a new method belongs in a row or in this list.
    expect(missing).toEqual([
      '_cleveragents/initialize',
      '_cleveragents/backend/keep-running',
      '_cleveragents/plan/interrupt',
      '_cleveragents/plan/steps',
      '_cleveragents/profile/calibration',
    ])
  })

  test.each(commands.filter(row => row.load !== 'later'))('$words can be loaded', async ({ load }) => {
    expect(load === 'later' ? null : typeof (await load())).toBe('function')
  })

  test.each(commands.filter(row => row.load !== 'later' && row.words !== 'ui'))(
    'the example of $words is understood as that command',
    ({ words, example }) => {
      const [line = ''] = example.split(' > ')
      const typed = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
        each => each[1] ?? each[2] ?? each[3] ?? '',
      )
      const parsed = parseCommandLine(typed.slice(1), 100)
      expect(parsed.kind === 'command' ? parsed.row.words : parsed).toBe(words)
    },
  )
})

describe('parsing', () => {
  it('understands options of every command before and after its words', () => {
    for (const typed of [
      ['--format', 'json', '-C', 'sub', '--yes', 'plan', 'list'],
      ['plan', '--yes', 'list', '--format', 'json', '-C', 'sub'],
    ]) {
      const parsed = parseCommandLine(typed, 100)
      expect({
        kind: parsed.kind,
        format: parsed.globals.maybe('format'),
        directory: parsed.globals.maybe('directory'),
        yes: parsed.globals.has('yes'),
      }).toEqual({ kind: 'command', format: 'json', directory: 'sub', yes: true })
    }
  })

  it('gathers an option that may be repeated and arguments of any number', () => {
    const parsed = parseCommandLine(
      ['plan', 'use', 'a', 'p1', '--arg', 'x=1', 'p2', '--arg', 'y=2', '--invariant', 'tests pass'],
      100,
    )
    if (parsed.kind !== 'command') throw new Error(parsed.kind)
    expect(parsed.given.many('arg')).toEqual(['x=1', 'y=2'])
    expect(parsed.given.many('project')).toEqual(['p1', 'p2'])
    expect(parsed.given.many('invariant')).toEqual(['tests pass'])
  })

  it('takes what follows -- as it is', () => {
    const parsed = parseCommandLine(['plan', 'prompt', 'p', '--', '--not-a-flag'], 100)
    expect(parsed.kind === 'command' ? parsed.given.one('guidance') : parsed).toBe('--not-a-flag')
  })

  test.each([
    [['plna'], "Unknown command 'plna'. Did you mean plan? See: agents --help"],
    [['plan', 'usee', 'x'], "Unknown command 'usee'. Did you mean use? See: agents plan --help"],
    [['approve'], "Unknown command 'approve'. Did you mean plan approve? See: agents --help"],
    [['zzzzzz'], "Unknown command 'zzzzzz'. See: agents --help"],
    [['plan'], 'plan is no whole command. See: agents plan --help'],
    [['plan', 'status'], "Missing required argument 'plan'. See: agents plan status --help"],
    [
      ['plan', 'use', 'a', '--argh', 'x=1'],
      "Unknown option '--argh'. Did you mean --arg? See: agents plan use --help",
    ],
    [
      ['plan', 'use', 'a', '--arg'],
      "Option '--arg <NAME=VALUE>' argument missing. See: agents plan use --help",
    ],
    [
      ['plan', 'correct', 'd'],
      "Required option '--guidance <TEXT>' not specified. See: agents plan correct --help",
    ],
    [
      ['plan', 'correct', 'd', '--guidance', 'x', '--mode', 'undo'],
      "Option '--mode <revert|append>' argument 'undo' is invalid. It may be revert, append. See: agents plan correct --help",
    ],
    [
      ['plan', 'list', '--limit', 'many'],
      "Option '--limit <N>' argument 'many' is invalid. It takes a whole number. See: agents plan list --help",
    ],
    [
      ['plan', 'status', 'a', 'b'],
      "Too many arguments for 'status'. Expected 1 argument but got 2: a, b. See: agents plan status --help",
    ],
    [
      ['--format', 'xml', 'plan', 'list'],
      "Option '--format <rich|plain|json|yaml>' argument 'xml' is invalid. It may be rich, plain, json, yaml. See: agents --help",
    ],
    [
      ['completion', 'tcsh'],
      "Command-argument value 'tcsh' is invalid for argument 'shell'. It may be bash, zsh, fish. See: agents completion --help",
    ],
  ])('%j is refused with what is wrong and where to look', (typed, message) => {
    const parsed = parseCommandLine(typed, 100)
    expect(parsed.kind === 'wrong' ? parsed.message : parsed.kind).toBe(message)
  })
})

test('the help of every command is what it was', async () => {
  const all = [
    '',
    ...Object.keys(groups),
    ...commands.filter(row => row.load !== 'later').map(row => row.words),
  ]
  const pages = all.map(words => {
    const page = helpOf(words === '' ? [] : words.split(' '), 100)
    return `===== agents ${words}\n${page}`
  })
  await expect(pages.join('\n')).toMatchFileSnapshot('./help.golden.txt')
})
