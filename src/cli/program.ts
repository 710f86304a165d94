/** Makes the parser and the help from the table of commands. Nothing is printed and nothing is run here. */
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { ArgumentRow, CommandRow, FlagRow } from './command-row.ts'
import { commands, groups } from './commands.ts'
import { type Given, type GivenValues, readGiven } from './given.ts'
import { globalFlags } from './global-flags.ts'

export type Parsed = { readonly globals: Given } & (
  | { readonly kind: 'command'; readonly row: CommandRow; readonly given: Given }
  | { readonly kind: 'no words' }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly message: string }
)

export function parseCommandLine(args: readonly string[], columns: number): Parsed {
  const output = { out: '', err: '' }
  const chosen: { row: CommandRow | null; command: Command | null } = { row: null, command: null }
  const choose: Choose = (row, command) => Object.assign(chosen, { row, command })
  const program = buildProgram(output, columns, rowsNear(args), choose)
  const globals = () => readGiven(valuesOf(globalFlags, program.opts()))
  try {
    program.parse([...args], { from: 'user' })
  } catch (error) {
    // Thrown by the parser instead of ending the process; anything else is a bug.
    if (!(error instanceof CommanderError)) throw error
    return { ...outcomeOf(error, output, program), globals: globals() }
  }
  const { row, command } = chosen
  if (row === null || command === null) return { kind: 'no words', globals: globals() }
  return { kind: 'command', row, given: readGiven(givenValues(row, command)), globals: globals() }
}

/** What `--help` of these words prints. */
export function helpOf(words: readonly string[], columns: number): string {
  const parsed = parseCommandLine([...words, '--help'], columns)
  return parsed.kind === 'help' ? parsed.text : ''
}

interface Output {
  out: string
  err: string
}

type Choose = (row: CommandRow, command: Command) => void

/**
 * What the words may mean: a parser of all commands takes longer to build than many a command runs. Where they name no
 * command, the answer looks at all of them.
 */
function rowsNear(args: readonly string[]): readonly CommandRow[] {
  const first = firstWord(args)
  const family = commands.filter(row => row.words.split(' ', 1)[0] === first)
  return family.length > 0 ? family : commands
}

/** Before it there are global flags only, some with a value in a word of its own. */
function firstWord([head, ...rest]: readonly string[]): string | undefined {
  if (!head?.startsWith('-')) return head
  const flag = globalFlags.find(({ name, short }) => head === `--${name}` || head === `-${short}`)
  return firstWord(flag && flag.value !== null ? rest.slice(1) : rest)
}

function buildProgram(output: Output, columns: number, rows: readonly CommandRow[], choose: Choose): Command {
  const program = new Command('agents')
    .description('Plans for AI agents that you can watch, answer, correct and apply.')
    .configureOutput({
      writeOut: text => (output.out += text),
      writeErr: text => (output.err += text),
      outputError: () => {},
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .helpOption('-h, --help', 'show help')
    .version('', '-V, --version', 'show the version')
    .usage('[options] [command]')
    .addHelpText('before', 'Without a command, agents opens the screen on this folder.\n')
    .addHelpText('after', exitCodeHelp)
  for (const flag of globalFlags) program.addOption(optionOf(flag))
  for (const row of rows) addRow(program, row, choose)
  return program
}

const exitCodeHelp = `
Exit codes:
  0 done  1 failed  2 wrong usage or input  3 a gate waits for you  4 not found
  5 over a budget or limit  6 conflict  7 denied  130 interrupted  143 terminated`

function addRow(program: Command, row: CommandRow, choose: Choose): void {
  const words = row.words.split(' ')
  const parent = words.slice(0, -1).reduce((at, _, index) => groupOf(at, words.slice(0, index + 1)), program)
  const command = parent
    .command(words.at(-1) ?? '')
    .description(row.load === 'later' ? `${row.summary} (not available yet)` : row.summary)
    .action(() => choose(row, command))
  if (row.load === 'later') {
    // Whatever is typed after it, the answer is the same.
    command.allowUnknownOption().argument('[anything...]')
    return
  }
  for (const argument of row.arguments) command.addArgument(argumentOf(argument))
  for (const flag of row.flags) command.addOption(optionOf(flag))
  command.aliases(row.aliases ?? [])
  const note = row.note === undefined ? '' : `\n\n${row.note}`
  command.addHelpText(
    'after',
    `\nExample:\n  ${row.example}${note}\n\nOptions of every command: agents --help`,
  )
}

function groupOf(parent: Command, words: readonly string[]): Command {
  const name = words.at(-1) ?? ''
  const known = parent.commands.find(command => command.name() === name)
  if (known) return known
  const prefix = `${words.join(' ')} `
  const rows = commands.filter(row => row.words.startsWith(prefix))
  const mark = rows.every(row => row.load === 'later') ? ' (not available yet)' : ''
  return parent
    .command(name)
    .description(`${groups[words.join(' ')] ?? ''}${mark}`)
    .helpCommand(false)
}

function argumentOf({ name, how, what, choices }: ArgumentRow): Argument {
  const form = { required: `<${name}>`, optional: `[${name}]`, 'any number': `[${name}...]` }[how]
  const argument = new Argument(form, what)
  return choices ? argument.argParser(oneOf(choices)) : argument
}

function optionOf({ name, short, value, how, what, choices, number }: FlagRow): Option {
  const head = short ? `-${short}, --${name}` : `--${name}`
  const option = new Option(value === null ? head : `${head} <${value}>`, what)
  if (choices) option.argParser(oneOf(choices))
  if (number) option.argParser(number === 'whole' ? wholeNumber : anyNumber)
  if (how === 'repeatable') option.argParser((text: string, before: string[] = []) => [...before, text])
  return option.makeOptionMandatory(how === 'required')
}

/** The parser's own check would repeat the choices in every line of help. */
function oneOf(choices: readonly string[]): (text: string) => string {
  return text => {
    if (choices.includes(text)) return text
    throw new InvalidArgumentError(`It may be ${choices.join(', ')}.`)
  }
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number.')
}

function anyNumber(text: string): number {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a number of 0 or more.')
}

function givenValues(row: CommandRow, command: Command): GivenValues {
  const places = row.arguments.map(({ name }, at) => [name, command.processedArgs[at]])
  return { ...Object.fromEntries(places), ...valuesOf(row.flags, command.opts()) }
}

/** By the names in the table: the parser has its own spelling, and turns `no-x` around. */
function valuesOf(flags: readonly FlagRow[], options: Readonly<Record<string, unknown>>): GivenValues {
  const values = flags.map(flag => {
    const option = optionOf(flag)
    const value = options[option.attributeName()]
    return [flag.name, option.negate ? value === false : value]
  })
  return Object.fromEntries(values)
}

function outcomeOf(error: CommanderError, output: Output, program: Command) {
  if (error.code === 'commander.version') return { kind: 'version' } as const
  if (error.code === 'commander.helpDisplayed') return { kind: 'help', text: output.out } as const
  if (error.code === 'commander.help') {
    const isEmpty = program.args.length === 0
    if (isEmpty) return { kind: 'no words' } as const
    if (output.out !== '') return { kind: 'help', text: output.out } as const
    const text = `${program.args.join(' ')} is no whole command. See: agents ${program.args.join(' ')} --help`
    return { kind: 'wrong', message: text } as const
  }
  return { kind: 'wrong', message: sentenceOf(error, program) } as const
}

function sentenceOf({ code, message }: CommanderError, program: Command): string {
  const [what = '', hint = ''] = message.replace(/^error: /, '').split('\n')
  const told = `${what.charAt(0).toUpperCase()}${what.slice(1)}${/[.?]$/.test(what) ? '' : '.'}`
  const near = hint.replace(/^\((.*)\)$/, '$1') || (code === 'commander.unknownCommand' ? sameVerb(what) : '')
  const words = knownWords(program.args)
  const help = `See: agents ${[...words, '--help'].join(' ')}`
  return [told, near, help].filter(Boolean).join(' ')
}

/** `agents approve` is not far from `agents plan approve`. */
function sameVerb(what: string): string {
  const word = /'(.*)'/.exec(what)?.[1] ?? ''
  const full = commands.filter(row => row.words.endsWith(` ${word}`)).map(row => row.words)
  return full.length === 0 ? '' : `Did you mean ${full.slice(0, 3).join(' or ')}?`
}

function knownWords(args: readonly string[]): string[] {
  const known: string[] = []
  for (const word of args) {
    const words = [...known, word].join(' ')
    if (!commands.some(row => row.words === words || row.words.startsWith(`${words} `))) break
    known.push(word)
  }
  return known
}
