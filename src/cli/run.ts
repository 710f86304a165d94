import { resolve } from 'node:path'
import { chooseFormat, configuredFormat } from './choose-format.ts'
import { type CommandContext, type CommandResult, failed, refuse } from './command.ts'
import type { CommandRow } from './command-row.ts'
import { exitCodes } from './exit-codes.ts'
import type { Given } from './given.ts'
import { type Format, formats } from './global-flags.ts'
import type { BackendOptions, CliHost, CliStream } from './host.ts'
import { type Printer, printRun, writeLines } from './print.ts'
import { helpOf, parseCommandLine } from './program.ts'
import { charsetOf, colourOf, makePaper, type Paper } from './render/paper.ts'
import { askPerson, ConnectRefusal, openSession, type Session } from './session.ts'
import { hasTerminal } from './surroundings/command-ui.ts'

const HELP_COLUMNS = 100

/**
 * A command line in, an exit code out. The caller ends the process with the code as soon as it has it: after a second
 * signal something may still be running.
 */
export async function runCommandLine(args: readonly string[], host: CliHost): Promise<number> {
  const parsed = parseCommandLine(args, Math.min(host.stdout.columns ?? HELP_COLUMNS, HELP_COLUMNS))
  const { globals } = parsed
  switch (parsed.kind) {
    case 'help':
      host.stdout.write(parsed.text)
      return exitCodes.done
    case 'version':
      host.stdout.write(`${host.version}\n`)
      return exitCodes.done
    case 'wrong':
      return runWith(host, globals, 'agents', async () => refuse('invalid_input', parsed.message))
    case 'no words':
      return openScreen(host, globals)
    case 'command':
      return runRow(host, globals, parsed.row, parsed.given)
  }
}

async function openScreen(host: CliHost, globals: Given): Promise<number> {
  if (hasTerminal(host))
    return host.runScreen({ ...optionsOf(host, globals), colour: colourAsked(globals), startWith: 'home' })
  host.stderr.write(helpOf([], HELP_COLUMNS))
  writeLines(host.stderr, [
    '',
    'The screen needs a terminal, and this is none: use one of the commands above.',
  ])
  return exitCodes.usage
}

function runRow(host: CliHost, globals: Given, row: CommandRow, given: Given): Promise<number> {
  return runWith(host, globals, row.words, async context => {
    if (row.load === 'later') return refuse('not_available', `agents ${row.words} is not available yet.`)
    if (globals.maybe('server') !== undefined)
      return refuse('not_available', '--server is not available yet. Leave it out to use the backend here.')
    const command = await row.load()
    return command({ ...context, given })
  })
}

type Work = (context: CommandContext) => Promise<CommandResult>

async function runWith(host: CliHost, globals: Given, command: string, work: Work): Promise<number> {
  const startedAt = host.now()
  const session = openSession(host, optionsOf(host, globals))
  const output = outputOf(host, globals)
  const context = contextOf(host, globals, session, output)
  const finish = async () => {
    const result = await resultOf(work, context, output)
    const durationMs = host.now() - startedAt
    const exitCode =
      result.kind === 'ended'
        ? result.exitCode
        : await printRun({ command, durationMs, result, stopCode: session.stopCode() }, output)
    await session.close()
    return exitCode
  }
  return Promise.race([finish(), session.insisted])
}

async function resultOf(work: Work, context: CommandContext, output: Output): Promise<CommandResult> {
  if (output.wrongFormat !== null) {
    const message = `CLEVERAGENTS_FORMAT is ${output.wrongFormat}. It may be ${formats.join(', ')}.`
    return refuse('invalid_input', message)
  }
  try {
    return await work(context)
  } catch (error) {
    if (error instanceof ConnectRefusal) return failed(error.failure)
    throw error
  }
}

interface Output extends Printer {
  format: Format
  readonly chosenBy: 'person' | 'default'
  readonly wrongFormat: string | null
}

function outputOf(host: CliHost, globals: Given): Output {
  const { format, by, wrong } = chooseFormat(globals, host)
  const paperFor = (stream: CliStream): Paper =>
    makePaper({
      columns: stream.isTTY === true ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY,
      charset: charsetOf(host.env),
      colour: format === 'plain' ? 'none' : colourOf(host.env, stream, colourAsked(globals)),
    })
  return {
    format,
    chosenBy: by,
    wrongFormat: wrong,
    stdout: host.stdout,
    stderr: host.stderr,
    paper: paperFor(host.stdout),
    aside: paperFor(host.stderr),
  }
}

function contextOf(host: CliHost, globals: Given, session: Session, output: Output): CommandContext {
  const { stderr, stdout } = host
  return {
    given: globals,
    host,
    folder: folderOf(host, globals),
    isTrusting: globals.has('trust'),
    saysYes: globals.has('yes'),
    screen: { ...optionsOf(host, globals), colour: colourAsked(globals) },
    signal: session.signal,
    aside: output.aside,
    tell: line => writeLines(stderr, [line]),
    page(lines) {
      if (output.format === 'rich' || output.format === 'plain') writeLines(stdout, lines(output.paper))
    },
    ask: question => askPerson(host, question, session.signal),
    async connect() {
      const isFirst = !session.isConnected()
      const client = await session.connect()
      if (isFirst && output.chosenBy === 'default')
        output.format = (await configuredFormat(client)) ?? output.format
      return client
    },
  }
}

function optionsOf(host: CliHost, globals: Given): BackendOptions {
  const folder = folderOf(host, globals)
  const path = (name: string) => {
    const text = globals.maybe(name)
    return text === undefined ? null : resolve(host.cwd, text)
  }
  return { folder, dataDir: path('data-dir'), configPath: path('config-path') }
}

function folderOf(host: CliHost, globals: Given): string {
  return resolve(host.cwd, globals.maybe('directory') ?? '.')
}

function colourAsked(globals: Given): 'auto' | 'never' {
  return globals.has('no-color') ? 'never' : 'auto'
}
